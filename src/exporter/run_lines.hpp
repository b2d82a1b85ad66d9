// What the runs of this user have to say for Prometheus: each run's engine is asked over its socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gputop/stream/loop.hpp"

namespace gputop {

// Calls `done` once, on the loop, with the lines of all that answered; never later than after a second. An engine that
// hangs, or is too old to answer, has no lines.
void ask_runs(Loop& loop, std::function<void(std::string lines)> done);

}  // namespace gputop
