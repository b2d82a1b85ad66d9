// What a rank that comes last is doing differently from the others.
#pragma once

#include <utility>
#include <vector>

#include "gputop/job/explain.hpp"
#include "job/common_steps.hpp"

namespace gputop::job {

// `late`: index of the rank; `held`: milliseconds to explain. The figure is the one to_words expects.
std::pair<Cause, double> cause_of(const std::vector<Rank>& ranks,
                                  std::size_t late,
                                  const CommonSteps& common,
                                  double held);

}  // namespace gputop::job
