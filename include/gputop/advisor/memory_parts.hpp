// What the GPU's memory is used for, as far as the lens counted it.
#pragma once

#include <string>

#include "gputop/advisor/facts.hpp"

namespace gputop {

// "parameters 0.5 GiB, optimizer 0.5 GiB, activations 1.5 GiB, the rest 0.2 GiB; 2.7 GiB of 24.0 GiB (11 %)"; "" when
// nothing was counted.
std::string memory_parts(const Facts& facts);

}  // namespace gputop
