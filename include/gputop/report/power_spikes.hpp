// Power readings of a log, judged by all other readings of their board: earlier ones, which PowerGuard also has, and
// later ones.
#pragma once

#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/plausibility.hpp"

namespace gputop {

// For boards of unknown limit: finds single readings far above all others of their board while nothing else shows work,
// makes them unknown and returns them. The first reading of continuing work is not one of them.
std::vector<FoundSensorError> take_out_power_spikes(std::vector<Event>& events);

}  // namespace gputop
