// What the GPU's time is made of, as far as the lens and the counters tell: how long its operations are, and whether
// its memory is the limit.
#pragma once

#include "advisor/situation.hpp"

namespace gputop {

// Seconds that the GPU computes at one of PyTorch's operations, in the mean; unknown without the lens's count.
Reading<double> operation_time(const Situation& situation);

struct MemoryLimit {
  const GpuFacts* gpu = nullptr;
  double busy = 0;        // percent: of the bandwidth if `counted`, otherwise of the time
  bool counted = false;   // by the chip
};
// A busy GPU whose memory is the limit. nullopt: none is, or nothing tells.
std::optional<MemoryLimit> memory_limit(const Situation& situation);

// Why torch.compile, which is off, would not help. nullopt: it might, it is on, or nothing tells.
std::optional<Veto> compile_veto(const Situation& situation);

}  // namespace gputop
