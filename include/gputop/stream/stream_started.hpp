// The first event of a live stream: when and where it was made.
#pragma once

#include "gputop/core/event.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

Event stream_started(Duration interval);

// The job that this process' environment, or the command that is run, belongs to; nullopt: none.
std::optional<Event> job_joined(const std::vector<std::string>& argv, const Model& model);

}  // namespace gputop
