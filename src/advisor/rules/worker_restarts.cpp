// worker_restarts — every epoch begins with a wait while the loader's workers start again.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> worker_restarts(const Situation& s) {
  const auto& settings = s.facts.settings;
  const auto& share = s.facts.step.epoch_start_share;
  const auto workers = s.model.workers();
  if (!share || !settings.persistent_workers || settings.persistent_workers->value || workers.value_or(0) == 0)
    return std::nullopt;
  if (!s.above(share->value * 100, s.limits.epoch_start)) return std::nullopt;
  Finding finding{.id = "worker_restarts", .severity = Severity::kInfo, .title = "Workers restart for every epoch"};
  finding.why = std::string{who_waits_first(s.facts)} + " waits " + percent_words(share->value) +
                " of the time for the first batch of an epoch, while " +
                count_words(*workers, "worker starts", "workers start");
  finding.evidence = {{"epoch_start", share->value * 100, "%", s.limits.epoch_start},
                      {"workers", static_cast<double>(*workers), ""}};
  finding.changes.push_back({"persistent_workers", "false", "true"});
  // The first batch must be fetched either way.
  const double lost = std::min(0.9, share->value);
  finding.speedup = Speedup{1 / (1 - lost * 0.3), 1 / (1 - lost)};
  finding.risk = {.low = true, .what = "workers keep their memory, and their changes to the dataset, between epochs"};
  finding.confidence = 0.8;
  return finding;
}

}  // namespace gputop::rules
