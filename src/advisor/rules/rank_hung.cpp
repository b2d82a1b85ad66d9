// rank_hung — the others wait in the exchange, and one rank does not arrive.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> rank_hung(const Situation& s) {
  if (!s.facts.together || !s.facts.together->hung) return std::nullopt;
  const auto& found = *s.facts.together->hung;
  Finding finding{.id = "rank_hung", .severity = Severity::kError, .title = "One rank has stopped"};
  finding.why = job::as_sentence(to_words(found));
  finding.evidence = {{"rank", static_cast<double>(found.rank), ""},
                      {"stopped_for", found.seconds, "s"},
                      {"ranks_waiting", static_cast<double>(found.waiting), ""}};
  finding.action = "examine that process: its stack (py-spy), a hanging device, a signal it received";
  finding.confidence = 0.9;
  return finding;
}

}  // namespace gputop::rules
