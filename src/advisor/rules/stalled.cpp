// stalled — no output and no work: a deadlock, a hanging exchange, or a question nobody answers.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> stalled(const Situation& s) {
  const auto& facts = s.facts;
  if (!facts.has_run || facts.end.kind != EndKind::kRunning || !facts.silent_for) return std::nullopt;
  if (to_seconds(*facts.silent_for) < s.limits.silent) return std::nullopt;
  // Whoever computes is not stalled, on the GPU or on the CPU. What is not known may be computing.
  if (!facts.tree.main_cpu || *facts.tree.main_cpu > 0.1 || facts.tree.worker_cpu.value_or(0) > 0.1)
    return std::nullopt;
  const bool gpus_rest = std::all_of(facts.gpus.begin(), facts.gpus.end(), [](const GpuFacts& gpu) {
    return !gpu.used_by_run || (gpu.utilization && gpu.utilization->value() < 1);
  });
  if (!gpus_rest) return std::nullopt;
  Finding finding{.id = "stalled", .severity = Severity::kError, .title = "The run seems to be stalled"};
  finding.why = "No output for " + format_duration(*facts.silent_for) + ", no GPU at work and " +
                percent_words(*facts.tree.main_cpu) + " of a core in use";
  finding.evidence = {{"silent_for", to_seconds(*facts.silent_for), "s", s.limits.silent},
                      {"main_cpu", *facts.tree.main_cpu * 100, "%"}};
  finding.action =
      "look where it is: py-spy dump --pid PID; it may wait for a lock, another rank, the network or an answer (i "
      "types into it)";
  finding.confidence = 0.75;
  return finding;
}

}  // namespace gputop::rules
