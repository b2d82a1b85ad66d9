#pragma once

#include "gputop/rehearsal/rehearse.hpp"

namespace gputop {

// The estimate for a command. The error says why it could not be rehearsed.
Result<Estimate> rehearsed_answer(const std::vector<std::string>& job,
                                  const RehearsalOptions& options,
                                  const EstimateRequest& request,
                                  const std::optional<TargetGpu>& gpu);

}  // namespace gputop
