// The readers of a job's output, each of which can fail alone: one that throws, or takes too long over a line, is switched
// off for the rest of the run, and named. Pure: the clock comes from outside, and copies like a value.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gputop/core/time.hpp"

namespace gputop {

// CPU time of this thread, which no other load of the machine adds to.
using CpuClock = Duration (*)();

class ReaderSwitches {
 public:
  // Without a clock nobody is too slow.
  void set_clock(CpuClock clock) { clock_ = clock; }

  // Clocks cost more than most lines do: single readers are timed only after a piece of output took long.
  template <class Read>
  void piece(Read read) {
    if (clock_ == nullptr) return read();
    const Duration before = clock_();
    read();
    if (clock_() - before > kSlowPiece) timed_ = kTimedPieces;
    if (timed_ > 0) --timed_;
  }

  // What read() gives, or the empty value of one that is switched off.
  template <class Read>
  auto run(std::string_view reader, Read read) -> decltype(read()) {
    using Answer = decltype(read());
    if (!off_.empty() && is_off(reader)) return Answer();
    const bool times = timed_ > 0 && clock_ != nullptr;
    const Duration before = times ? clock_() : Duration{};
    try {
      if constexpr (std::is_void_v<Answer>) {
        read();
        if (times) judge(reader, clock_() - before);
      } else {
        auto answer = read();
        if (times) judge(reader, clock_() - before);
        return answer;
      }
    } catch (const std::exception& failure) {
      switch_off(reader, std::string{"it failed ("} + failure.what() + ")");
    }
    return Answer();
  }

  [[nodiscard]] bool is_off(std::string_view reader) const;
  // What was switched off since the last time, for people; "" for nothing.
  std::string take_news() { return std::exchange(news_, {}); }

  static constexpr Duration kSlowPiece = std::chrono::milliseconds{250};
  static constexpr Duration kSlowLine = std::chrono::milliseconds{100};
  static constexpr int kTimedPieces = 64;

 private:
  void judge(std::string_view reader, Duration took);
  void switch_off(std::string_view reader, const std::string& why);

  CpuClock clock_ = nullptr;
  int timed_ = 0;  // pieces left whose readers are timed
  std::vector<std::string> off_;
  std::string news_;
};

}  // namespace gputop
