// The interactive screen on this process's terminal.
#pragma once

#include "gputop/stream/engine.hpp"
#include "gputop/stream/watch_options.hpp"
#include "gputop/viewer/preferences.hpp"

namespace gputop {

// Whether stdout is a terminal that can be drawn on, and nobody asked for lines instead.
bool wants_screen(const WatchOptions& options);

// Runs the loop until the user leaves; returns the exit code. The engine is not started yet.
int run_screen(Loop& loop, Engine& engine, Preferences preferences, const WatchOptions& options);

}  // namespace gputop
