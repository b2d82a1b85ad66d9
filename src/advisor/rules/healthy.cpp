// healthy — the GPU works nearly all the time and no rule has anything to change.
#include "advisor/kernel_times.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> healthy(const Situation& s) {
  const bool well = s.facts.end.kind == EndKind::kRunning || s.facts.end.kind == EndKind::kFinished;
  if (s.troubled || !s.diagnosis.utilization || !well) return std::nullopt;
  const double used = *s.diagnosis.utilization * 100;
  if (!(s.shown ? used >= s.limits.busy * 0.95 : used >= s.limits.busy)) return std::nullopt;
  Finding finding{.id = "healthy", .severity = Severity::kInfo, .title = "Nothing to change"};
  finding.why = "Nothing to change: " + percent_words(used / 100) + " busy";
  if (used < s.limits.good_utilization) finding.why += " (" + number_words(s.limits.good_utilization) + "–100 is best)";
  finding.evidence.push_back({"gpu_utilization", used, "%", s.limits.busy});
  if (s.facts.step.input_wait_share) {
    const double wait = s.facts.step.input_wait_share->value * 100;
    finding.why += ", waits for data " + percent_words(wait / 100);
    finding.evidence.push_back({"input_wait", wait, "%", s.limits.input_wait});
  }
  if (auto veto = compile_veto(s)) finding.vetoes.push_back(*std::move(veto));
  finding.confidence = s.facts.step.input_wait_share ? 0.9 : 0.7;
  return finding;
}

}  // namespace gputop::rules
