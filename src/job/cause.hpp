// What a rank that comes last is doing that the others are not.
#pragma once

#include <utility>
#include <vector>

#include "gputop/job/explain.hpp"
#include "job/common_steps.hpp"

namespace gputop::job {

// `late`: index of the rank; `held`: milliseconds to be explained. The figure is what to_words wants.
std::pair<Cause, double> cause_of(const std::vector<Rank>& ranks,
                                  std::size_t late,
                                  const CommonSteps& common,
                                  double held);

}  // namespace gputop::job
