// Power readings of a log, judged by all the others of their board: those before, which PowerGuard has too, and those
// behind.
#pragma once

#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/plausibility.hpp"

namespace gputop {

// Of boards whose limit nobody knows: makes single readings unknown that are far above all others of their board, while
// nothing else says that it worked then; gives them back. The first reading of work that goes on is none of them.
std::vector<FoundSensorError> take_out_power_spikes(std::vector<Event>& events);

}  // namespace gputop
