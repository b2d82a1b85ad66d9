// low_tensor — the GPU is always busy, but its tensor cores hardly compute (reported by Hopper and newer).
#include "advisor/kernel_times.hpp"
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> low_tensor(const Situation& s) {
  if (memory_limit(s)) return std::nullopt;  // bandwidth_bound says it
  for (const auto* gpu : gpus_in_use(s.facts)) {
    const auto& activity = gpu->activity;
    if (!s.above(gpu->utilization, s.limits.busy) || !activity.tensor) continue;
    if (!s.below(activity.tensor->value(), s.limits.idle_tensor)) continue;
    Finding finding{
        .id = "low_tensor", .severity = Severity::kInfo, .title = "The GPU is busy, but its tensor cores are not"};
    finding.why = "GPU " + std::to_string(gpu->index) + " is " + percent_words(gpu->utilization->value() / 100) +
                  " busy, and its tensor cores compute " + percent_words(activity.tensor->value() / 100) + " of the time";
    finding.evidence = {{"tensor", activity.tensor->value(), "%", s.limits.idle_tensor},
                        {"busy", gpu->utilization->value(), "%", s.limits.busy}};
    const auto& precision = s.facts.settings.precision;
    if (precision && precision->value == Precision::kFp32) {
      finding.action = "compute in bf16 (autocast), or allow TF32: fp32 does not use the tensor cores";
    } else if (activity.sm && activity.sm->value() < s.limits.few_multiprocessors) {
      finding.evidence.push_back({"sm", activity.sm->value(), "%", s.limits.few_multiprocessors});
      finding.action = "few multiprocessors have work: a larger batch, torch.compile or CUDA graphs for many small kernels";
    } else {
      finding.action = "look at the shapes: tensor cores want sizes that are multiples of 8, better of 64 (vocabulary, hidden size)";
    }
    finding.confidence = 0.6;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
