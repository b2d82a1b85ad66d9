// communication_bound — all ranks are ready, and the exchange itself takes long.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> communication_bound(const Situation& s) {
  if (!s.facts.together || s.facts.together->straggler || s.facts.together->hung) return std::nullopt;
  const auto& found = *s.facts.together;
  Finding finding{.id = "communication_bound", .severity = Severity::kWarning, .title = "The ranks wait for their exchange"};
  if (s.share_above(found.communication_share, s.limits.communication)) {
    finding.why = "When all ranks are ready, the exchange of gradients takes " + number_words(*found.communication_ms) + " ms, " +
                  percent_words(*found.communication_share) + " of each step";
    finding.evidence = {{"communication", *found.communication_share * 100, "%", s.limits.communication},
                        {"exchange", *found.communication_ms, "ms"}};
    finding.speedup = Speedup{1.0, 1 / (1 - 0.5 * *found.communication_share)};
  } else if (found.communication_by_gpu) {
    finding.why = "All GPUs are busy at less than half of their power, and no rank waits for data: they wait in the exchange";
    finding.confidence = 0.6;
  } else {
    return std::nullopt;
  }
  finding.action = "exchange less often (gradient accumulation), less (bf16 compression hook), or over a faster link";
  return finding;
}

}  // namespace gputop::rules
