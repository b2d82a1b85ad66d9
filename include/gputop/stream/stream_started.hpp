// The first event of a live stream: when and where it was made.
#pragma once

#include "gputop/core/event.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

Event stream_started(Duration interval);

}  // namespace gputop
