// The same training with a larger or a smaller model: its named relatives, or another width and depth.
#pragma once

#include <string>
#include <vector>

#include "gputop/estimator/estimate.hpp"

namespace gputop {

// At this batch, smallest first; one that does not fit says so in its note. Empty where nothing is known of what the
// memory is made of.
std::vector<BatchChoice> other_models(const EstimateRequest& request,
                                      const ModelTable& table,
                                      const MemoryModel& model,
                                      const SearchLimits& limits,
                                      std::uint64_t batch);

}  // namespace gputop
