// A stalled run: it neither prints, nor steps, nor computes.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

// A run that computes, on the GPU or on the CPU, is not stalled; if unknown, it may be computing.
bool rests(const StillFacts& still);

// Long enough that earlier measurements say nothing about now.
bool stands_still(const Facts& facts, const Thresholds& limits);

}  // namespace gputop
