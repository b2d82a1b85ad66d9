// Shared by the precision rules: what a GPU supports, and what its kernels may gain.
#pragma once

#include "advisor/situation.hpp"

namespace gputop {

// The lowest of the GPUs in use; unknown if one of them is.
Reading<ComputeCapability> weakest_capability(const Facts& facts);

enum class FasterKernels { kTf32, kMixed };
// The gain of such kernels on this GPU, as a range over models. A run limited by memory bandwidth gains less.
Speedup kernel_gain(const Facts& facts, ComputeCapability capability, FasterKernels which);

// The run is compute-bound in single precision.
bool computes_in_fp32(const Situation& situation);

// A gain can be predicted for its changes; otherwise it is not advice.
bool gains(const Finding& finding);

// Another way to faster kernels, for a run that computes in fp32 on a GPU with tensor cores; the caller checks whether
// it is already on or unknown.
std::optional<Finding> kernel_option(const Situation& situation, std::string_view knob, Speedup kernels);

}  // namespace gputop
