// The terminal's answers to the engine's questions, as they pass through the viewer: how many are still to come.
#pragma once

#include <cstdint>
#include <string_view>

#include "gputop/viewer/protocol.hpp"

namespace gputop {

class LateAnswers {
 public:
  // For one engine: another engine counts from zero.
  void start_over() { seen_ = matched_ = 0; }

  void saw(std::string_view typed) {
    for (const char byte : typed) {
      if (byte == kAnswer[matched_]) {
        ++matched_;
      } else {
        matched_ = byte == kAnswer.front() ? 1 : 0;
      }
      if (matched_ < kAnswer.size()) continue;
      matched_ = 0;
      ++seen_;
    }
  }

  [[nodiscard]] bool are_missing(const Asked& asked) const { return seen_ < asked.questions; }

 private:
  static constexpr std::string_view kAnswer = "\x1b[0n";  // to the question of term::FramePump
  std::uint32_t seen_ = 0;
  std::size_t matched_ = 0;  // bytes of the next one seen so far
};

}  // namespace gputop
