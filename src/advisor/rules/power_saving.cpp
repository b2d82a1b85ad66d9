// power_saving — energy has a price, and the GPU draws all it may: a lower power limit saves more than it costs.
#include <algorithm>
#include <cmath>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/advisor/power_curve.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> power_saving(const Situation& s) {
  constexpr double kStep = 5;  // watts
  constexpr double kLeast = 1.1;  // times the limit: what it has to draw now, or a limit would hardly change anything
  const auto& settings = s.facts.settings;
  if (!s.facts.efficiency.cost || s.diagnosis.bottleneck != StepPart::kGpuCompute) return std::nullopt;
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!gpu->power || !gpu->power_limit || !s.share_above(gpu->power_share, s.limits.good_power)) continue;
    const double limit = gpu->power_limit->value();
    const double most = gpu->max_power_limit ? gpu->max_power_limit->value() : limit;
    // Of the board's limit: one that was lowered already is left alone.
    const double watts = std::round(most * s.limits.least_power / 100 / kStep) * kStep;
    if (watts > std::min(limit - kStep, gpu->power->value() / kLeast)) continue;
    const auto precision = settings.precision ? Reading<Precision>{settings.precision->value} : std::nullopt;
    const auto effect = power_effect(watts / std::min(limit, gpu->power->value()), precision);
    if (!effect) continue;
    Finding finding{.id = "power_saving", .severity = Severity::kInfo, .title = "A lower power limit would save energy"};
    finding.why = "GPU " + std::to_string(gpu->index) + " draws " + format_reading(gpu->power, " W") + " of " +
                  format_reading(gpu->power_limit, " W") + "; at " + number_words(watts) + " W the run is " + in_words(*effect);
    finding.evidence = {{"power", gpu->power->value(), "W"}, {"power_limit", limit, "W"}, {"power_share", *gpu->power_share * 100, "%", s.limits.good_power}};
    finding.changes.push_back({kPowerLimit, number_words(std::round(limit)), number_words(watts)});
    finding.speedup = effect->speed;
    finding.risk.what = "slower; the limit stays after the run, for everyone who uses the GPU";
    finding.action = "nvidia-smi -i " + std::to_string(gpu->index) + " -pl " + number_words(watts) + " (as root)";
    finding.confidence = 0.6;
    return finding;
  }
  return std::nullopt;
}

}  // namespace gputop::rules
