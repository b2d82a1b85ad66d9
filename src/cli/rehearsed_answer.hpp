#pragma once

#include "cli/options.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop::cli {

// The estimate for `-- CMD`. The error says why it could not be rehearsed.
Result<Estimate> rehearsed_answer(const Options& options, const EstimateRequest& request, const std::optional<TargetGpu>& gpu);

}  // namespace gputop::cli
