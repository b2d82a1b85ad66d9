// The interactive screen on this process's terminal.
#pragma once

#include "cli/options.hpp"
#include "cli/preferences.hpp"
#include "gputop/engine/engine.hpp"

namespace gputop::cli {

// Whether stdout is a terminal that can be drawn on and nobody asked for lines instead.
bool wants_screen(const Options& options);

// Runs the loop until the user leaves; returns the exit code. The engine is not started yet.
int run_screen(Loop& loop, Engine& engine, Preferences preferences, const Options& options);

}  // namespace gputop::cli
