// `gputop -- sbatch job.sh`: submits, then shows the job wherever it runs.
#pragma once

#include <string>
#include <vector>

#include "gputop/stream/watch_options.hpp"

namespace gputop {

// Runs the command with the user's own stdin and stderr, passes its stdout on, and follows the job until it has ended or
// the user leaves; the job goes on then. Returns the exit code of the command: the job's is the job's.
int submit_and_follow(const std::vector<std::string>& argv, const WatchOptions& options);

}  // namespace gputop
