// Shows a run on this terminal until it ends or the user leaves.
#pragma once

#include <string>

#include "gputop/run/launch.hpp"
#include "gputop/viewer/viewer_client.hpp"

namespace gputop {

// `started`: the run was just started here. Returns the exit code: the run's own if it has ended.
int watch_run(const std::string& socket,
              const ViewerOptions& options,
              bool demo = false,
              const run::LaunchedRun& started = {});

}  // namespace gputop
