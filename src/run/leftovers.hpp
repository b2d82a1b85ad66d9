// Output of a job's daemons after its end.
#pragma once

#include <span>

#include "run/job_output.hpp"

namespace gputop::run {

// Headless, it goes to the user; under a terminal, to nobody, but the daemons must not block. The caller waits for us
// as it would for the job, so a copy of this process stays until the last writer is gone. Returns in the original only.
void copy_leftovers(std::span<JobOutput> streams);

}  // namespace gputop::run
