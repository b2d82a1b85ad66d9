#include "logs/checkpoint_line.hpp"

#include <algorithm>
#include <array>

#include "logs/text.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLongest = 1000;  // of a line worth reading
constexpr std::array<std::string_view, 2> kBegin{"saving", "writing"};
constexpr std::array<std::string_view, 4> kEnd{"saved", "wrote", "dumped", "stored"};
constexpr std::array<std::string_view, 9> kThings{"checkpoint", "checkpoints", "ckpt", "model",      "weights",
                                                  "state",      "snapshot",    "pth",  "safetensors"};
constexpr std::array<std::string_view, 10> kNot{"will",    "would",  "not",    "skip",  "skipping",
                                                "loading", "loaded", "failed", "every", "to_save"};

template <std::size_t Size>
bool has_any(std::string_view line, const std::array<std::string_view, Size>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return logs::contains_word(line, word); });
}

}  // namespace

CheckpointLine read_checkpoint_line(std::string_view line) {
  if (line.size() > kLongest) return CheckpointLine::kNone;
  const bool begins = has_any(line, kBegin);
  if (!begins && !has_any(line, kEnd)) return CheckpointLine::kNone;
  if (!has_any(line, kThings) || has_any(line, kNot)) return CheckpointLine::kNone;
  return begins ? CheckpointLine::kBegins : CheckpointLine::kDone;
}

}  // namespace gputop
