// Whether it was Slurm that told a run to end, and why.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "gputop/core/event.hpp"

namespace gputop {

// "Slurm: its time limit of 00:01:00 is reached". nullopt: `sender` is no process of Slurm's. Asks the controller, for a
// second at most, and only for the job's first rank: a thousand ranks that end together must not all ask it.
std::optional<std::string> slurm_as_ender(pid_t sender, const std::optional<JobJoined>& job);

}  // namespace gputop
