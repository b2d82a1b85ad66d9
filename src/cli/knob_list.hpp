// The knobs of a run as a list for people: where each lives, what it says, why that place is believed.
#pragma once

#include <string>

#include "gputop/knobs/finder.hpp"

namespace gputop::cli {

std::string knob_list(const knobs::KnobTable& table, const knobs::Found& found);

}  // namespace gputop::cli
