// Model → Facts: one value for the advisor in which each fact has its source and its age.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/app/model.hpp"

namespace gputop {

// Pure. The lens's counts outrank what the run printed, which outranks what was observed from outside, which outranks a
// guess; if two of them contradict each other, both are in `disagreements`. Windowed figures cover the last `window`:
// long enough to be calm, short enough to follow a change.
Facts gather_facts(const Model& model, Duration window = std::chrono::minutes{2});

// What is worth remembering about a run: nullopt while it is not steady, or its batch size is unknown.
Reading<RunPoint> run_point(const Facts& facts);

}  // namespace gputop
