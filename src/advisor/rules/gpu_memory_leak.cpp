// gpu_memory_leak — GPU memory grows without end.
#include "advisor/leak.hpp"
#include "advisor/phrase.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

constexpr double kNearlyFull = 85;  // percent

// No time to be certain: memory is nearly full and still growing.
std::optional<Leak> about_to_be_full(const GpuFacts& gpu, double percent_full) {
  if (!gpu.full_in || percent_full < kNearlyFull) return std::nullopt;
  return Leak{.mib_in_ten_minutes = 0, .full_in = gpu.full_in};
}

}  // namespace

std::optional<Finding> gpu_memory_leak(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    Reading<Bytes> left;
    double percent_full = 0;
    if (gpu->memory_total && gpu->memory_used && *gpu->memory_used < *gpu->memory_total) {
      left = *gpu->memory_total - *gpu->memory_used;
      percent_full = 100 * (*gpu->memory_used / *gpu->memory_total);
    }
    const auto soon = about_to_be_full(*gpu, percent_full);
    const auto found = soon ? soon : leak(s, gpu->memory_slope, left, s.limits.memory_leak);
    if (!found) continue;
    Finding finding{.id = "gpu_memory_leak", .severity = Severity::kWarning};
    const auto whose = s.facts.gpus.size() == 1 ? std::string{"GPU memory"} : gpus_in_words(s.facts, {gpu}) + "'s memory";
    finding.title = whose + " grows without end";
    finding.why = "GPU " + std::to_string(gpu->index) + "'s memory ";
    if (soon) {
      finding.title = whose + " is nearly full and grows";
      finding.why += "is " + format_number(percent_full, 0) + " % full and grows all the time" + full_in_words(*found);
      finding.evidence.push_back({"gpu_memory", percent_full, "%", kNearlyFull});
    } else {
      finding.why += "grows by " + format_number(found->mib_in_ten_minutes, 0) + " MiB in ten minutes" +
                     full_in_words(*found);
      finding.evidence.push_back({"memory_growth", found->mib_in_ten_minutes, "MiB/10min", s.limits.memory_leak});
    }
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
