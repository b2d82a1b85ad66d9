#include "gputop/tuning/next_launch.hpp"

namespace gputop {

NextLaunch::Variables NextLaunch::environment() const {
  Variables changed{variables.begin(), variables.end()};
  const auto overrides = lens_overrides(lens);
  changed.emplace_back("GPUTOP_LENS_SET", overrides.empty() ? std::nullopt : std::optional{overrides});
  return changed;
}

std::vector<Change> as_changes(const knobs::ChangeSet& change) {
  std::vector<Change> changes;
  for (const auto& item : change.changes)
    changes.push_back({item.knob, knobs::to_text(item.from), knobs::to_text(item.to)});
  return changes;
}

}  // namespace gputop
