// The user's own command for what matters (on_event in the configuration; there is none by default).
#pragma once

#include <string>

#include "gputop/stream/engine.hpp"

namespace gputop {

// Runs `command` by sh, in the background and without a terminal, with GPUTOP_EVENT and GPUTOP_TEXT set, for each
// alarm of a stream that is live. Nothing for "" and for a replay. Until the handle is destroyed.
[[nodiscard]] Engine::Subscription run_on_events(Engine& engine, const std::string& command);

}  // namespace gputop
