// stalled — no output and no work: a deadlock, a hanging exchange, or a prompt nobody answers.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/stillness.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> stalled(const Situation& s) {
  const auto& facts = s.facts;
  if (!stands_still(facts, s.limits)) return std::nullopt;
  // Someone may have ended it for this reason.
  const bool over = facts.end.kind != EndKind::kRunning;
  if (over && facts.end.kind != EndKind::kKilled) return std::nullopt;
  const auto& still = *facts.still;
  const double limit = still.had_steps ? 2 * s.limits.still : s.limits.silent;
  if (to_seconds(still.time) < limit) return std::nullopt;
  Finding finding{.id = "stalled",
                  .severity = Severity::kError,
                  .title = over ? "The run had stalled" : "The run seems to be stalled"};
  finding.why = std::string{still.had_steps ? "No step and no output for " : "No output for "} +
                format_duration(still.time) + ", no GPU at work and " + percent_words(*still.main_cpu) +
                " of a core in use";
  finding.evidence = {{"silent_for", to_seconds(still.time), "s", limit}, {"main_cpu", *still.main_cpu * 100, "%"}};
  finding.action =
      "look where it is: py-spy dump --pid PID; it may wait for a lock, another rank, the network or an answer (i "
      "types into it)";
  finding.confidence = 0.75;
  return finding;
}

}  // namespace gputop::rules
