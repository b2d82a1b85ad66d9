// MaxText — "completed step: 12, seconds: 0.345, TFLOP/s/device: 123.4, Tokens/s/device: 1234.5, total_weights: 65536,
// loss: 9.876".
#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {

std::optional<Progress> maxtext(std::string_view line) {
  constexpr std::string_view kSeconds = ", seconds: ";
  const auto seconds = line.find(kSeconds);
  if (!line.starts_with("completed step: ") || seconds == std::string_view::npos) return std::nullopt;
  auto progress = read_pairs(line, false);
  if (!progress.step) return std::nullopt;
  progress.phase = Phase::kTraining;
  if (const auto time = leading_number(slice(line, seconds + kSeconds.size())); time && time->value > 0)
    progress.step_time = from_seconds(time->value);
  return progress;
}

}  // namespace gputop::logs::formats
