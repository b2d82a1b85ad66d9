// A run that stands still: nothing of it prints, steps or computes.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

// Whoever computes does not stand still, on the GPU or on the CPU; what is not known may be computing.
bool rests(const StillFacts& still);

// Long enough that what was measured before says nothing about now.
bool stands_still(const Facts& facts, const Thresholds& limits);

}  // namespace gputop
