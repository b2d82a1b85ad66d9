// bandwidth_bound — the GPU is always busy, and its memory, not its arithmetic, is the limit.
#include "advisor/kernel_times.hpp"
#include "advisor/phrase.hpp"

namespace gputop::rules {

std::optional<Finding> bandwidth_bound(const Situation& s) {
  const auto found = memory_limit(s);
  if (!found) return std::nullopt;
  const auto& gpu = *found->gpu;
  const auto& settings = s.facts.settings;
  Finding finding{
      .id = "bandwidth_bound", .severity = Severity::kInfo, .title = "The GPU's memory bandwidth is the limit"};
  finding.why = "GPU " + std::to_string(gpu.index) + " is " + percent_words(gpu.utilization->value() / 100) + " busy, and its memory ";
  finding.evidence = {{"busy", gpu.utilization->value(), "%", s.limits.busy}};
  if (found->counted) {
    finding.why += "delivers " + percent_words(found->busy / 100) + " of its bandwidth";
    finding.evidence.push_back({"dram", found->busy, "%", s.limits.memory_bound});
    if (gpu.activity.tensor) {
      finding.why += " while the tensor cores compute " + percent_words(gpu.activity.tensor->value() / 100) + " of the time";
      finding.evidence.push_back({"tensor", gpu.activity.tensor->value(), "%"});
    }
  } else {
    const double mfu = s.facts.efficiency.mfu->value;
    finding.why += "is at work " + percent_words(found->busy / 100) + " of the time, while it computes at " + percent_words(mfu) + " of its peak";
    finding.evidence.push_back({"memory_busy", found->busy, "%", s.limits.good_memory_busy});
    finding.evidence.push_back({"mfu", mfu * 100, "%", s.limits.low_mfu});
  }
  finding.action = "move fewer bytes for each computation: ";
  if (settings.precision && (settings.precision->value == Precision::kFp32 || settings.precision->value == Precision::kTf32))
    finding.action += "activations in 16 bits (autocast), ";
  finding.action += "fused kernels (torch.compile, fused attention, norm and loss)";
  if (settings.convolutions && settings.convolutions->value && settings.channels_last && !settings.channels_last->value)
    finding.action += ", channels_last";
  finding.vetoes.push_back({"batch_size", "a larger batch won't help: each sample moves the same bytes again"});
  finding.confidence = found->counted ? 0.75 : 0.55;
  return finding;
}

}  // namespace gputop::rules
