// How much of its card's memory a run holds, and PyTorch's message if that is too much.
#pragma once

#include <optional>

#include "gputop/sources/sim_physics.hpp"

namespace gputop {

SimMemory memory_of(const SimRunConfig& config);

// Set if `memory` does not fit next to the neighbors: allocations succeeded up to the one that failed.
std::optional<SimOutOfMemory> out_of_memory(const SimCard& card, const SimMemory& memory, Bytes neighbours);

}  // namespace gputop
