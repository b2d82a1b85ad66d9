// gputop stream: prints the event lines of a job's recordings on this node to stdout as they arrive.
#pragma once

#include <string>

namespace gputop {

// `job` is an id, a folder or a pattern. Returns the exit code once the reader of stdout is gone.
int print_job_lines(const std::string& job);

}  // namespace gputop
