// From a rehearsal to an answer: fits or not, the number, its band, the largest batch.
#pragma once

#include "gputop/estimator/estimate.hpp"

namespace gputop {

// `request` may set the batch, the margin and what to keep; the memory model is the rehearsal's.
Estimate rehearsed_estimate(const RehearsalInput& input, EstimateRequest request, const std::optional<TargetGpu>& gpu);

}  // namespace gputop
