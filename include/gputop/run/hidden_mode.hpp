// The entry point of gputop's own child processes. main() calls this before it looks at its arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/run/run_channel.hpp"

namespace gputop::run {

// The engine of a run. `arguments` are LaunchRequest::engine_arguments. Returns kEngineDone if no successor is wanted,
// kEngineFenced if it was replaced, anything else after a failure (it is then restarted).
using EngineMain = int (*)(RunChannel channel, const std::vector<std::string>& arguments);

// The exit code, if this process was started as a keeper or an engine; nullopt: it is the user's own gputop.
std::optional<int> run_hidden_mode(int argc, char** argv, EngineMain engine_main);

}  // namespace gputop::run
