// power_cap — the power limit lowers the clocks. A GPU at full load is usually at its limit, so only a real loss is
// reported.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> power_cap(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!s.share_above(gpu->power_cap_share, s.limits.power_capped) || !gpu->clock_share) continue;
    if (!s.above((1 - *gpu->clock_share) * 100, s.limits.clock_deficit)) continue;
    Finding finding{.id = "power_cap", .severity = Severity::kWarning, .title = "The power limit slows the GPU"};
    finding.why = "GPU " + std::to_string(gpu->index) + " is held at its power limit " +
                  percent_words(*gpu->power_cap_share) + " of the time and runs at " +
                  percent_words(*gpu->clock_share) + " of its clock";
    finding.evidence = {{"power_capped", *gpu->power_cap_share * 100, "%", s.limits.power_capped},
                        {"clock", *gpu->clock_share * 100, "%", 100 - s.limits.clock_deficit}};
    const bool lowered = gpu->power_limit && gpu->max_power_limit && *gpu->power_limit < *gpu->max_power_limit * 0.95;
    if (gpu->power_limit) finding.evidence.push_back({"power_limit", gpu->power_limit->value(), "W"});
    if (lowered) {
      finding.why += "; the limit is " + format_reading(gpu->power_limit, " W") + " and may be " +
                     format_reading(gpu->max_power_limit, " W");
      finding.evidence.push_back({"max_power_limit", gpu->max_power_limit->value(), "W"});
      finding.action = "raise it if power and cooling allow: nvidia-smi -i " + std::to_string(gpu->index) + " -pl " +
                       format_reading(gpu->max_power_limit, "") + " (as root)";
    } else {
      finding.severity = Severity::kInfo;
      finding.action = "the board allows no more; mixed precision does more work per watt";
    }
    const bool matters =
        s.diagnosis.bottleneck == StepPart::kGpuCompute || s.diagnosis.bottleneck == StepPart::kUnknown;
    finding.speedup = Speedup{1.0, matters && lowered ? 1 / std::max(0.3, *gpu->clock_share) : 1.0};
    finding.confidence = 0.85;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
