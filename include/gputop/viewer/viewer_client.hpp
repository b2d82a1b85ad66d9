// A viewer: this process's terminal, drawn on by a run's engine.
#pragma once

#include <string>

#include "gputop/core/result.hpp"
#include "gputop/viewer/protocol.hpp"

namespace gputop {

struct ViewerOptions {
  bool readonly = false;
  bool mouse = true;
};

// Runs until the engine or the user ends it, and gives the terminal back before it returns. SIGINT, SIGHUP, SIGTERM and
// a closed terminal detach. If the engine dies, the viewer waits: its keeper starts another one within a moment.
// Errors: the engine cannot be reached, the terminal cannot be used, the engine refuses.
Result<Farewell> run_viewer(const std::string& socket_path, const ViewerOptions& options);

}  // namespace gputop
