#include "gputop/tuning/autopilot.hpp"

#include <algorithm>

#include "gputop/advisor/power_curve.hpp"

namespace gputop {

bool Autopilot::allows(const std::vector<Change>& changes) const {
  // A power limit is everyone's, and stays after the run: only if it was named.
  const bool power = std::any_of(changes.begin(), changes.end(), [](const Change& change) { return change.knob == kPowerLimit; });
  return (limits_.knobs.empty() && !power) || std::all_of(changes.begin(), changes.end(), [&](const Change& change) {
           return limits_.knobs.contains(change.knob);
         });
}

std::vector<Change> Autopilot::next(const Model& model) const {
  const auto& advice = model.advice.now();
  if (!may_change() || !model.run) return {};
  const bool over = model.run->end.has_value();
  if (advice.warming_up && !over) return {};
  for (const auto& finding : advice.findings) {
    if (over && finding.severity != Severity::kError) continue;  // why it ended, not what made it slow
    if (finding.changes.empty() || !allows(finding.changes)) continue;
    if (!memory_.tried.contains(changes_in_words(finding.changes))) return finding.changes;
  }
  return {};
}

void Autopilot::tried(const std::vector<Change>& changes, bool made) {
  memory_.tried.insert(changes_in_words(changes));
  if (made) ++memory_.made;
}

}  // namespace gputop
