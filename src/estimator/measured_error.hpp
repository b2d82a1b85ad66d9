// How far a line through measured points may be off at a batch.
#pragma once

#include <cstdint>

#include "gputop/estimator/memory_model.hpp"

namespace gputop {

// As a share of the total there. `model` is one of measured_model().
double measured_error(const MemoryModel& model, std::uint64_t batch);

}  // namespace gputop
