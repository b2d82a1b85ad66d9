// Which job, node and rank a run belongs to, from the launcher's environment variables.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop::job {

// A variable's value; nullopt if it is not set.
using Variables = std::function<std::optional<std::string>(std::string_view name)>;

// `argv`: the command (gputop -- torchrun --rdzv-id … runs above its ranks, so no variable has the id yet). `hostname`:
// the node, if the launcher has no name for it. nullopt: no known launcher.
std::optional<JobJoined> read_identity(const Variables& variables,
                                       const std::vector<std::string>& argv,
                                       std::string_view hostname);

}  // namespace gputop::job
