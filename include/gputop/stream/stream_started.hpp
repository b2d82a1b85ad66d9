// The first event of a live stream: when and where it was recorded.
#pragma once

#include "gputop/core/event.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

Event stream_started(Duration interval);

// The job of this process's environment or of the command; nullopt: none.
std::optional<Event> job_joined(const std::vector<std::string>& argv, const Model& model);

}  // namespace gputop
