// gputop stop: asks the run's engine to end it, and waits until it has.
#pragma once

#include <chrono>

#include "gputop/run/run_dir.hpp"

namespace gputop {

// SIGTERM, or SIGKILL with `kill`. Offers SIGKILL on a terminal if the job does not end within the patience. Prints
// what happened; returns the exit code.
int stop_run(const run::ListedRun& run, bool kill, std::chrono::milliseconds patience);

}  // namespace gputop
