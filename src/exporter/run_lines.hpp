// Metrics of this user's runs: asks each run's engine over its socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gputop/stream/loop.hpp"

namespace gputop {

// Calls `done` once, on the loop, with the lines of all engines that answered, after at most a second. An engine that
// hangs, or is too old to answer, has no lines.
void ask_runs(Loop& loop, std::function<void(std::string lines)> done);

}  // namespace gputop
