// thermal_throttle — heat lowers the clocks.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

bool says_so(const Situation& s, const GpuFacts& gpu) {
  return s.share_above(gpu.thermal_share, s.limits.thermal);
}

bool is_slowed_by_heat(const Situation& s, const GpuFacts& gpu) {
  const bool hot = gpu.temperature && s.above(gpu.temperature->value(), s.limits.temperature);
  const bool slow = gpu.clock_share && s.above((1 - *gpu.clock_share) * 100, s.limits.clock_deficit);
  const bool other_reason = gpu.power_cap_share && *gpu.power_cap_share * 100 >= s.limits.power_capped;
  return says_so(s, gpu) || (hot && slow && !other_reason);
}

}  // namespace

std::optional<Finding> thermal_throttle(const Situation& s) {
  std::vector<const GpuFacts*> hot;
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (is_slowed_by_heat(s, *gpu)) hot.push_back(gpu);
  }
  if (hot.empty()) return std::nullopt;
  // The figures are of the one that loses most.
  const auto& gpu = **std::min_element(hot.begin(), hot.end(), [](const GpuFacts* a, const GpuFacts* b) {
    return a->clock_share.value_or(1) < b->clock_share.value_or(1);
  });
  const bool named = says_so(s, gpu);
  Finding finding{.id = "thermal_throttle", .severity = Severity::kWarning};
  finding.title = capitalized(gpus_in_words(s.facts, hot)) +
                  (hot.size() == 1 ? " is too hot and slows down" : " are too hot and slow down");
  finding.why = "GPU " + std::to_string(gpu.index);
  if (gpu.temperature) {
    finding.why += " reaches " + format_reading(gpu.temperature, " °C");
    finding.evidence.push_back({"temperature", gpu.temperature->value(), "°C", s.limits.temperature});
  }
  if (named) {
    finding.why += std::string{gpu.temperature ? " and" : ""} + " is slowed by heat " +
                   percent_words(*gpu.thermal_share) + " of the time";
    finding.evidence.push_back({"thermal", *gpu.thermal_share * 100, "%", s.limits.thermal});
  }
  if (gpu.clock_share) {
    finding.why += ", at " + percent_words(*gpu.clock_share) + " of its clock";
    finding.evidence.push_back({"clock", *gpu.clock_share * 100, "%", 100 - s.limits.clock_deficit});
    const bool matters =
        s.diagnosis.bottleneck == StepPart::kGpuCompute || s.diagnosis.bottleneck == StepPart::kUnknown;
    const double most = matters ? 1 / std::max(0.3, *gpu.clock_share) : 1.0;
    finding.speedup = Speedup{1.0, std::max(1.0, most)};
  }
  if (hot.size() > 1) finding.why += "; it is the worst of " + std::to_string(hot.size());
  finding.action = "free the airflow, raise the fan speed, or lower the power limit: a cooler GPU may be faster";
  finding.confidence = named ? 0.9 : 0.6;
  return finding;
}

}  // namespace gputop::rules
