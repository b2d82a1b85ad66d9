// gpu_memory_leak — GPU memory grows without end.
#include "advisor/leak.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> gpu_memory_leak(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    Reading<Bytes> left;
    if (gpu->memory_total && gpu->memory_used && *gpu->memory_used < *gpu->memory_total)
      left = *gpu->memory_total - *gpu->memory_used;
    const auto found = leak(s, gpu->memory_slope, left, s.limits.memory_leak);
    if (!found) continue;
    Finding finding{.id = "gpu_memory_leak", .severity = Severity::kWarning, .title = "GPU memory grows without end"};
    finding.why = "GPU " + std::to_string(gpu->index) + "'s memory grows by " +
                  format_number(found->mib_in_ten_minutes, 0) + " MiB in ten minutes" + full_in_words(*found);
    finding.evidence.push_back({"memory_growth", found->mib_in_ten_minutes, "MiB/10min", s.limits.memory_leak});
    if (found->full_in) finding.evidence.push_back({"full_in", to_seconds(*found->full_in), "s"});
    finding.action =
        "look for losses or outputs that are kept with their graph (use loss.item() or .detach()) and for lists of "
        "tensors";
    finding.confidence = 0.75;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
