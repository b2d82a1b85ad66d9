// What a PyTorch script leaves on stderr when it dies.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gputop/sources/sim_physics.hpp"

namespace gputop {

// PyTorch's message word for word; `neighbours`: pid and memory of the other processes on the card.
std::string out_of_memory_traceback(const SimOutOfMemory& oom,
                                    const std::vector<std::pair<std::int64_t, Bytes>>& neighbours);
std::string keyboard_interrupt_traceback();

}  // namespace gputop
