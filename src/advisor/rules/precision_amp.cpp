// precision_amp — computing is what the time goes into, in single precision, on a GPU whose tensor cores would do it
// faster.
#include "advisor/phrase.hpp"
#include "advisor/rules/precision.hpp"

namespace gputop::rules {

std::optional<Finding> precision_amp(const Situation& s) {
  const auto capability = weakest_capability(s.facts);
  if (!capability || *capability < ComputeCapability{7, 0} || !computes_in_fp32(s)) return std::nullopt;
  const bool bf16 = *capability >= ComputeCapability{8, 0};
  const auto now = s.facts.settings.precision->value;

  Finding finding{.id = "precision_amp", .severity = Severity::kInfo, .title = "Mixed precision is off"};
  finding.why = "Computing takes " + percent_words(s.diagnosis.share(StepPart::kGpuCompute)) + " of the time, in " +
                std::string{to_string(now)} + ", and the tensor cores of this GPU (compute capability " +
                std::to_string(capability->major) + "." + std::to_string(capability->minor) + ") rest";
  finding.evidence = {{"gpu_compute", s.percent(StepPart::kGpuCompute), "%", s.limits.busy},
                      {"compute_capability", capability->major + capability->minor / 10.0, "", 7.0}};
  finding.changes.push_back({"precision", std::string{to_string(now)}, bf16 ? "amp-bf16" : "amp-fp16"});
  finding.speedup = s.model.speedup({.kernels = kernel_gain(s.facts, *capability, FasterKernels::kMixed)});
  finding.risk = bf16 ? "fewer digits: watch the loss" : "fp16 needs loss scaling (GradScaler): watch for overflows";
  finding.then = "channels_last and torch.compile gain more once precision is mixed";
  finding.confidence = now == Precision::kTf32 ? 0.5 : 0.65;
  // What TF32 brought already, mixed precision cannot bring again.
  if (now == Precision::kTf32) finding.speedup->low = 1;
  return finding;
}

}  // namespace gputop::rules
