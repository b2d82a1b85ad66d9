// The same training with a larger or a smaller model: its named relatives, or another width and depth.
#pragma once

#include <string>
#include <vector>

#include "gputop/estimator/estimate.hpp"

namespace gputop {

// At this batch, smallest first; the note says if one does not fit. Empty if the composition of the memory is unknown.
std::vector<BatchChoice> other_models(const EstimateRequest& request,
                                      const ModelTable& table,
                                      const MemoryModel& model,
                                      const SearchLimits& limits,
                                      std::uint64_t batch);

}  // namespace gputop
