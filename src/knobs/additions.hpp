// Settings that a framework is known to read, where nothing says them yet; and overrides of bases that others share.
#pragma once

#include <vector>

#include "knobs/file_finder.hpp"

namespace gputop::knobs {

void find_additions(const Surroundings& around, std::vector<Candidate>& candidates);

// For every value of a shared base: the same key in the configuration at hand.
void find_overrides(const Surroundings& around, const Evidence& evidence, std::vector<Candidate>& candidates);

}  // namespace gputop::knobs
