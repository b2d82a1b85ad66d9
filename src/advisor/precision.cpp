#include "advisor/rules/precision.hpp"

#include <algorithm>

namespace gputop {
namespace {

// Data-centre parts and Turing have several times the tensor throughput of their fp32; later consumer parts about twice.
bool has_large_tensor_cores(ComputeCapability capability) {
  return capability.major == 7 || (capability.minor == 0 && capability.major != 12);
}

Reading<double> memory_busy(const Facts& facts) {
  Reading<double> most;
  for (const auto* gpu : gpus_in_use(facts)) {
    if (gpu->memory_busy && (!most || gpu->memory_busy->value() > *most)) most = gpu->memory_busy->value();
  }
  return most;
}

}  // namespace

Reading<ComputeCapability> weakest_capability(const Facts& facts) {
  Reading<ComputeCapability> weakest;
  for (const auto* gpu : gpus_in_use(facts)) {
    if (!gpu->compute_capability) return std::nullopt;
    if (!weakest || *gpu->compute_capability < *weakest) weakest = gpu->compute_capability;
  }
  return weakest;
}

Speedup kernel_gain(const Facts& facts, ComputeCapability capability, FasterKernels which) {
  constexpr double kBandwidthBound = 70;  // percent of the time
  const auto memory = memory_busy(facts);
  const bool bandwidth_bound = memory && *memory >= kBandwidthBound;
  const bool large = has_large_tensor_cores(capability);
  if (which == FasterKernels::kTf32) {
    if (bandwidth_bound) return {1.0, 1.1};
    return large ? Speedup{1.1, 4.0} : Speedup{1.02, 1.35};
  }
  if (bandwidth_bound) return {1.15, 1.6};
  return large ? Speedup{1.3, 5.0} : Speedup{1.2, 2.4};
}

bool computes_in_fp32(const Situation& s) {
  const auto& precision = s.facts.settings.precision;
  if (!precision || s.diagnosis.bottleneck != StepPart::kGpuCompute) return false;
  return precision->value == Precision::kFp32 || precision->value == Precision::kTf32;
}

}  // namespace gputop
