// What the GPU's memory is used for, as counted by the lens.
#pragma once

#include <string>

#include "gputop/advisor/facts.hpp"

namespace gputop {

// "parameters 0.5 GiB, optimizer 0.5 GiB, activations 1.5 GiB, the rest 0.2 GiB; 2.7 GiB of 24.0 GiB (11 %)"; "" if
// nothing was counted.
std::string memory_parts(const Facts& facts);

}  // namespace gputop
