// precision_amp — the run is compute-bound in single precision on a GPU whose tensor cores would be faster.
#include "advisor/kernel_times.hpp"
#include "advisor/phrase.hpp"
#include "advisor/rules/precision.hpp"

namespace gputop::rules {
namespace {

// If a step that Python launches in that time leaves the GPU waiting at times, launches may take as long as the
// kernels: faster kernels would wait for them, and casts are launched too.
bool launches_may_limit(const Situation& s) {
  const auto& step = s.facts.step.step_time;
  return s.percent(StepPart::kHost) >= s.limits.launch_gap &&
         (!step || to_seconds(step->value) * 1000 < s.limits.longest_launch);
}

}  // namespace

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
  const std::string wanted = bf16 ? "amp-bf16" : "amp-fp16";
  const bool unsure = launches_may_limit(s);
  if (unsure) {
    finding.action = "try " + wanted + " and measure it: the GPU waits " +
                     percent_words(s.diagnosis.share(StepPart::kHost)) +
                     " of the time for launches, which may be as long as its kernels; a larger batch first would tell";
  } else {
    finding.changes.push_back({"precision", std::string{to_string(now)}, wanted});
  }
  s.model.foretell(finding, {.kernels = kernel_gain(s.facts, *capability, FasterKernels::kMixed)});
  if (!gains(finding)) return std::nullopt;
  finding.risk.what =
      bf16 ? "fewer digits: watch the loss" : "fp16 needs loss scaling (GradScaler): watch for overflows";
  auto veto = compile_veto(s);
  finding.then = veto ? "channels_last gains more once precision is mixed"
                      : "channels_last and torch.compile gain more once precision is mixed";
  if (veto) finding.vetoes.push_back(*std::move(veto));
  finding.confidence = now == Precision::kTf32 ? 0.5 : 0.65;
  // Mixed precision cannot gain again what TF32 already gained.
  if (now == Precision::kTf32 || unsure) finding.speedup->low = 1;
  return finding;
}

}  // namespace gputop::rules
