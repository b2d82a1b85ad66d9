// The power limit of a run's GPUs as a change: set by nvidia-smi, in force at once, taken back the same way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/core/result.hpp"
#include "gputop/knobs/change_set.hpp"

namespace gputop {

// A change of this knob and of nothing else.
bool is_power_limit(const std::vector<Change>& changes);

// For every GPU of the run that has another limit. Errors: nothing to change, or not root.
Result<knobs::ChangeSet> plan_power_limit(const std::string& to, const Facts& facts, const std::vector<std::string>& argv);

// Sets the limits on one GPU after the other; if one refuses, those before it get their old one back. Blocks for as
// long as nvidia-smi takes, at most some seconds for each.
Status set_power_limit(const knobs::ChangeSet& change);

}  // namespace gputop
