// precision_tf32 — matrix products run in full fp32 on a GPU that has TF32 (compute capability 8.0).
#include "advisor/phrase.hpp"
#include "advisor/rules/precision.hpp"

namespace gputop::rules {

std::optional<Finding> precision_tf32(const Situation& s) {
  const auto capability = weakest_capability(s.facts);
  const auto& tf32 = s.facts.settings.tf32;
  if (!capability || *capability < ComputeCapability{8, 0} || !tf32 || tf32->value || !computes_in_fp32(s)) {
    return std::nullopt;
  }
  if (s.facts.settings.precision->value == Precision::kTf32) return std::nullopt;

  Finding finding{.id = "precision_tf32", .severity = Severity::kInfo, .title = "TF32 is off"};
  finding.why = "Computing takes " + percent_words(s.diagnosis.share(StepPart::kGpuCompute)) +
                " of the time, in full fp32, on a GPU that has TF32 (off by default since torch 1.12)";
  finding.evidence = {{"gpu_compute", s.percent(StepPart::kGpuCompute), "%", s.limits.busy},
                      {"compute_capability", capability->major + capability->minor / 10.0, "", 8.0}};
  finding.changes.push_back({"tf32", "false", "true"});
  s.model.foretell(finding, {.kernels = kernel_gain(s.facts, *capability, FasterKernels::kTf32)});
  if (!gains(finding)) return std::nullopt;
  finding.risk = {.low = true, .what = "ten bits of mantissa in matrix products"};
  finding.then = "mixed precision gains more where the model bears it";
  finding.confidence = 0.65;
  return finding;
}

}  // namespace gputop::rules
