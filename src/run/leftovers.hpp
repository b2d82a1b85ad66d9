// What daemons of a job print after its end.
#pragma once

#include <span>

#include "run/job_output.hpp"

namespace gputop::run {

// To the user, headless; under a terminal to nobody, but they must not stand still. The caller waits for us as it would
// for the job, so a copy of this process stays until the last writer has gone. Returns in the original only.
void copy_leftovers(std::span<JobOutput> streams);

}  // namespace gputop::run
