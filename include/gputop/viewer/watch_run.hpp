// A run on this terminal until it ends or is left.
#pragma once

#include <string>

#include "gputop/run/launch.hpp"
#include "gputop/viewer/viewer_client.hpp"

namespace gputop {

// `started`: the run was started here, just now. Returns the exit code: the run's own where it has ended.
int watch_run(const std::string& socket,
              const ViewerOptions& options,
              bool demo = false,
              const run::LaunchedRun& started = {});

}  // namespace gputop
