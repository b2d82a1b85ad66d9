// Settings that a framework is known to read, where nothing says them yet; and overrides of bases that others share.
#pragma once

#include <vector>

#include "knobs/declared_flags.hpp"
#include "knobs/file_finder.hpp"

namespace gputop::knobs {

void find_additions(const Surroundings& around, std::vector<Candidate>& candidates);

// Flags that the script behind a shell script takes and is not given: at the end of the command there.
void find_in_wrapper(const Surroundings& around,
                     const std::vector<DeclaredFlag>& declared,
                     std::vector<Candidate>& candidates);

// For every value of a shared base: the same key in the configuration at hand.
// Of the defaults in yacs' code: the same keys in the configuration that is merged into them.
void find_merged(const Surroundings& around, std::vector<Candidate>& candidates);
void find_overrides(const Surroundings& around, const Evidence& evidence, std::vector<Candidate>& candidates);

}  // namespace gputop::knobs
