// What a recording says about its run's memory, at any batch.
#pragma once

#include <optional>

#include "gputop/core/result.hpp"
#include "gputop/estimator/estimate.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

// The GPU that was recorded; nullopt: none, or its memory is unknown.
std::optional<TargetGpu> recorded_gpu(const Findings& findings);

// The error says what the recording lacks.
Result<Estimate> recorded_answer(const Findings& findings, const EstimateRequest& request, const std::optional<TargetGpu>& gpu);

}  // namespace gputop
