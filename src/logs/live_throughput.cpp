#include "gputop/logs/live_throughput.hpp"

#include <algorithm>

namespace gputop {

Reading<Throughput> live_throughput(const RunProgress& progress, Instant at) {
  constexpr Duration kPatience = std::chrono::seconds{10};
  constexpr double kStepsMissed = 5;
  const auto now = throughput(progress);
  if (!now || progress.phase == Phase::kValidation) return std::nullopt;
  const double step_time =
      progress.steps_per_second && *progress.steps_per_second > 0 ? 1 / *progress.steps_per_second : 0;
  if (at - progress.at > std::max(kPatience, from_seconds(kStepsMissed * step_time))) return std::nullopt;
  return now;
}

}  // namespace gputop
