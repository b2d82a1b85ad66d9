// Signals a process by what it is, not by a number that may have been given to another one since.
#pragma once

#include <cstdint>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Errors: it has ended, the PID is another process' now, not permitted. The message is for people.
Status signal_process(std::int64_t pid, WallTime started, int signal);

}  // namespace gputop
