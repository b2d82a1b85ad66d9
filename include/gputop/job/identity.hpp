// Which job, node and rank a run belongs to, by what its launcher has put into the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop::job {

// A variable's value; nullopt when it is not set.
using Variables = std::function<std::optional<std::string>(std::string_view name)>;

// `argv`: the command that is run (gputop -- torchrun --rdzv-id … is above its ranks, so no variable says the id yet).
// `hostname`: the node, where the launcher has no name for it. nullopt: no launcher is known.
std::optional<JobJoined> read_identity(const Variables& variables,
                                       const std::vector<std::string>& argv,
                                       std::string_view hostname);

}  // namespace gputop::job
