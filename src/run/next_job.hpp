// The process that becomes the next job: a child of the keeper that has executed gputop again and may allocate.
#pragma once

#include "run/fds.hpp"

namespace gputop::run {

// Returns only on failure: the exit code. SharedRun::launch_problem then has the reason.
int become_next_job(const RunFds& fds);

}  // namespace gputop::run
