// The process that becomes the next job: the keeper's child, after it has executed gputop again and may allocate.
#pragma once

#include "run/fds.hpp"

namespace gputop::run {

// Returns only if that failed: the exit code. Why is in SharedRun::launch_problem then.
int become_next_job(const RunFds& fds);

}  // namespace gputop::run
