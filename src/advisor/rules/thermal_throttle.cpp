// thermal_throttle — heat lowers the clocks.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> thermal_throttle(const Situation& s) {
  for (const auto* gpu : gpus_in_use(s.facts)) {
    const bool named = s.share_above(gpu->thermal_share, s.limits.thermal);
    const bool hot = gpu->temperature && s.above(gpu->temperature->value(), s.limits.temperature);
    const bool slow = gpu->clock_share && s.above((1 - *gpu->clock_share) * 100, s.limits.clock_deficit);
    const bool other_reason = gpu->power_cap_share && *gpu->power_cap_share * 100 >= s.limits.power_capped;
    if (!named && !(hot && slow && !other_reason)) continue;
    Finding finding{
        .id = "thermal_throttle", .severity = Severity::kWarning, .title = "The GPU is too hot and slows down"};
    finding.why = "GPU " + std::to_string(gpu->index);
    if (gpu->temperature) {
      finding.why += " reaches " + format_reading(gpu->temperature, " °C");
      finding.evidence.push_back({"temperature", gpu->temperature->value(), "°C", s.limits.temperature});
    }
    if (named) {
      finding.why += std::string{gpu->temperature ? " and" : ""} + " is slowed by heat " +
                     percent_words(*gpu->thermal_share) + " of the time";
      finding.evidence.push_back({"thermal", *gpu->thermal_share * 100, "%", s.limits.thermal});
    }
    if (gpu->clock_share) {
      finding.why += ", at " + percent_words(*gpu->clock_share) + " of its clock";
      finding.evidence.push_back({"clock", *gpu->clock_share * 100, "%", 100 - s.limits.clock_deficit});
      const bool matters =
          s.diagnosis.bottleneck == StepPart::kGpuCompute || s.diagnosis.bottleneck == StepPart::kUnknown;
      const double most = matters ? 1 / std::max(0.3, *gpu->clock_share) : 1.0;
      finding.speedup = Speedup{1.0, std::max(1.0, most)};
    }
    finding.action = "free the airflow, raise the fan speed, or lower the power limit: a cooler GPU may be faster";
    finding.confidence = named ? 0.9 : 0.6;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
