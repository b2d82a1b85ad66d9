#include "advisor/rules/precision.hpp"

#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/worker_plan.hpp"

namespace gputop {
namespace {

// On data-center parts and Turing, tensor throughput is several times that of fp32; on later consumer parts about
// twice.
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
  const auto bottleneck = s.diagnosis.bottleneck;
  // Launches may be the worst waste while computing still takes most of the time.
  const bool mostly = bottleneck == StepPart::kHost && s.percent(StepPart::kGpuCompute) >= s.limits.low_utilization;
  if (!precision || (bottleneck != StepPart::kGpuCompute && !mostly)) return false;
  // Shorter steps give workers that outnumber the cores more to do, so launching, which they delay, takes even longer.
  if (cores_overrun(s)) return false;
  return precision->value == Precision::kFp32 || precision->value == Precision::kTf32;
}

bool gains(const Finding& finding) {
  constexpr double kSomething = 1.01;
  return finding.speedup && finding.speedup->high >= kSomething;
}

std::optional<Finding> kernel_option(const Situation& s, std::string_view knob, Speedup kernels) {
  const auto capability = weakest_capability(s.facts);
  if (!capability || *capability < ComputeCapability{7, 0} || !computes_in_fp32(s)) return std::nullopt;
  Finding finding{.id = std::string{knob}, .severity = Severity::kInfo};
  finding.why = "Computing takes " + percent_words(s.diagnosis.share(StepPart::kGpuCompute)) + " of the time";
  finding.evidence.push_back({"gpu_compute", s.percent(StepPart::kGpuCompute), "%", s.limits.busy});
  finding.changes.push_back({std::string{knob}, "false", "true"});
  s.model.foretell(finding, {.kernels = kernels});
  if (!gains(finding)) return std::nullopt;
  finding.confidence = 0.5;
  return finding;
}

}  // namespace gputop
