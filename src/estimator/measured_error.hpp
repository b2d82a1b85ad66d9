// The possible error of a line through measured points at a batch.
#pragma once

#include <cstdint>

#include "gputop/estimator/memory_model.hpp"

namespace gputop {

// As a share of the total there. `model` must come from measured_model().
double measured_error(const MemoryModel& model, std::uint64_t batch);

}  // namespace gputop
