// The run within the Model: see RunTrack in model.hpp.
#include <algorithm>

#include "gputop/app/model.hpp"

namespace gputop {

void RunTrack::push_throughput(Instant at) {
  constexpr Duration kPatience = std::chrono::seconds{10};
  constexpr double kStepsMissed = 5;
  const auto& progress = log.progress();
  const auto now = gputop::throughput(progress);
  if (end || !now || progress.phase == Phase::kValidation) return;
  const double step_time =
      progress.steps_per_second && *progress.steps_per_second > 0 ? 1 / *progress.steps_per_second : 0;
  if (at - progress.at > std::max(kPatience, from_seconds(kStepsMissed * step_time))) return;
  if (now->unit != throughput_unit) {
    throughput = TieredSeries{};
    throughput_unit = now->unit;
  }
  throughput.push(at, now->per_second);
}

std::string RunTrack::end_in_words() const {
  const auto& why = log.end();
  if (why.kind == EndKind::kFinished || why.detail.empty() || why.detail == end->text) return end->text;
  return why.detail.starts_with(end->text) ? why.detail : end->text + ": " + why.detail;
}

}  // namespace gputop
