// The estimate for a run that was recorded: from what its lens counted, and the memory of every batch size that was seen.
#pragma once

#include <optional>

#include "gputop/advisor/facts.hpp"
#include "gputop/core/result.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {

// `request` may set what the recording does not say, and the batch to ask for. The error says what is missing.
Result<Estimate> recorded_estimate(const Facts& facts, EstimateRequest request, const std::optional<TargetGpu>& gpu);

// What the lens counted in one step, as a model of any batch. nullopt: it counted too little.
std::optional<MemoryModel> counted_model(const MemoryFacts& memory);

}  // namespace gputop
