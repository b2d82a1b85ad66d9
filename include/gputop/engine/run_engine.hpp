// The engine process of a run, started by its keeper.
#pragma once

#include <optional>

#include "gputop/run/run_channel.hpp"
#include "gputop/stream/watch_options.hpp"
#include "gputop/tuning/autopilot.hpp"

namespace gputop {

// `automatic`: what it may change on its own; nullopt: nothing. Returns the process's exit code.
int run_engine(run::RunChannel channel, WatchOptions options, std::optional<AutoLimits> automatic);

}  // namespace gputop
