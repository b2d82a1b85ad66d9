// Signals a process by identity, because its PID may have been reused.
#pragma once

#include <cstdint>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Errors: it has ended, the PID belongs to another process now, not permitted. The message is for the user.
Status signal_process(std::int64_t pid, WallTime started, int signal);

}  // namespace gputop
