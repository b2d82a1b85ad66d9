// Monitoring without a screen: lines on stdout, and a recording if requested, until a signal or the time is up.
#pragma once

#include "gputop/stream/engine.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// Runs the loop; returns the exit code. The engine is not started yet.
int run_headless(Loop& loop, Engine& engine, const WatchOptions& options);

// The advisor's new findings, and the outcome of a change, as one line on stderr.
void say_news(const Event& event);

}  // namespace gputop
