// clock_drop — low clocks under load, with neither heat nor power as the reason.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> clock_drop(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!gpu->clock_share || !s.above((1 - *gpu->clock_share) * 100, s.limits.clock_drop)) continue;
    // A mostly idle GPU lowers its clocks on its own.
    if (!gpu->utilization || gpu->utilization->value() < s.limits.low_utilization) continue;
    // If the reasons are unknown, one of them may be the cause.
    if (!gpu->thermal_share || !gpu->power_cap_share) continue;
    if (*gpu->thermal_share * 100 >= s.limits.thermal || *gpu->power_cap_share * 100 >= s.limits.power_capped) continue;
    Finding finding{.id = "clock_drop", .severity = Severity::kWarning};
    finding.title = capitalized(gpus_in_words(s.facts, {gpu})) + " runs at a low clock";
    finding.why = "GPU " + std::to_string(gpu->index) + " runs at " + percent_words(*gpu->clock_share) +
                  " of its clock under load, and neither heat nor its power limit explains it";
    finding.evidence = {{"clock", *gpu->clock_share * 100, "%", 100 - s.limits.clock_drop},
                        {"thermal", *gpu->thermal_share * 100, "%", s.limits.thermal},
                        {"power_capped", *gpu->power_cap_share * 100, "%", s.limits.power_capped}};
    finding.action = "the clocks may be locked: nvidia-smi -i " + std::to_string(gpu->index) +
                     " -rgc (as root); else "
                     "look for a power brake or a weak power supply";
    finding.speedup = Speedup{1.0, 1 / std::max(0.3, *gpu->clock_share)};
    finding.confidence = 0.6;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
