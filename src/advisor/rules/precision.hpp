// What the precision rules share: what a GPU can do, and what its kernels may gain.
#pragma once

#include "advisor/situation.hpp"

namespace gputop {

// The lowest of the GPUs in use; unknown when one of them is.
Reading<ComputeCapability> weakest_capability(const Facts& facts);

enum class FasterKernels { kTf32, kMixed };
// What such kernels bring on this GPU, as a range over models. A run that is limited by memory bandwidth gains less.
Speedup kernel_gain(const Facts& facts, ComputeCapability capability, FasterKernels which);

// Computing is what the time goes into, and the run computes in single precision.
bool computes_in_fp32(const Situation& situation);

// A gain can be foretold for its changes: else it is no advice.
bool gains(const Finding& finding);

// Another way to faster kernels, for a run that computes in fp32 on a GPU with tensor cores; what is on or unknown is
// for the caller.
std::optional<Finding> kernel_option(const Situation& situation, std::string_view knob, Speedup kernels);

}  // namespace gputop
