// The ranks of a run that nobody told of: GPUs in a log that look as if they trained one model together.
#pragma once

#include <vector>

#include "gputop/advisor/facts.hpp"

namespace gputop {

// Empty where a run is known, and where cards or the memory they hold differ.
std::vector<RankFacts> likely_ranks(const Facts& facts);

}  // namespace gputop
