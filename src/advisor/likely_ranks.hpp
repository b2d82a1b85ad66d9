// Infers ranks that were not reported: GPUs in a log that look as if they train one model together.
#pragma once

#include <vector>

#include "gputop/advisor/facts.hpp"

namespace gputop {

// Empty if a run is known, or if the cards or their used memory differ.
std::vector<RankFacts> likely_ranks(const Facts& facts);

}  // namespace gputop
