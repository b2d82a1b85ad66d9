// The run's own measures of success: the loss, and every metric it printed.
#include <algorithm>

#include "report/findings/parts.hpp"

namespace gputop::report {

std::vector<FoundResult> found_results(const RunLog& log) {
  std::vector<FoundResult> results;
  if (const auto& loss = log.progress().loss) results.push_back({.name = "loss", .last = *loss, .better = -1});
  for (const MetricTrack& track : log.metrics()) {
    using Better = decltype(track.better);
    FoundResult result{.name = track.label(), .last = track.last};
    result.better = track.better == Better::kHigher ? 1 : track.better == Better::kLower ? -1 : 0;
    if (result.better != 0) result.best = track.best;
    std::erase_if(results, [&](const FoundResult& other) { return other.name == result.name; });
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace gputop::report
