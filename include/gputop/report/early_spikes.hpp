// The first readings of a log have none before them to be judged by, but all of those behind.
#pragma once

#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

// Makes power readings unknown that are among the first of their GPU and far above all that follow; gives them back.
std::vector<FoundSensorError> take_out_early_spikes(std::vector<Event>& events);

}  // namespace gputop
