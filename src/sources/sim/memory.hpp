// What a run holds of its card's memory, and what PyTorch says when that is too much.
#pragma once

#include <optional>

#include "gputop/sources/sim_physics.hpp"

namespace gputop {

SimMemory memory_of(const SimRunConfig& config);

// Set when `memory` does not fit beside the neighbours: allocations went well up to the one that failed.
std::optional<SimOutOfMemory> out_of_memory(const SimCard& card, const SimMemory& memory, Bytes neighbours);

}  // namespace gputop
