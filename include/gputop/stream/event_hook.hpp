// The user's own command for important events (on_event in the configuration; none by default).
#pragma once

#include <string>

#include "gputop/stream/engine.hpp"

namespace gputop {

// Runs `command` with sh, in the background and without a terminal, with GPUTOP_EVENT and GPUTOP_TEXT set, for each
// alarm of a live stream. Does nothing for "" and for a replay. Active until the handle is destroyed.
[[nodiscard]] Engine::Subscription run_on_events(Engine& engine, const std::string& command);

}  // namespace gputop
