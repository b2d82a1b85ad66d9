// power_cap — the power limit lowers the clocks. A GPU at full load is usually at its limit, so only a real loss is
// reported, with what another limit would cost and save.
#include <algorithm>
#include <cmath>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/advisor/power_curve.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

Reading<Precision> precision_of(const Facts& facts) {
  return facts.settings.precision ? Reading<Precision>{facts.settings.precision->value} : std::nullopt;
}

std::string command(const GpuFacts& gpu, double watts) {
  return "nvidia-smi -i " + std::to_string(gpu.index) + " -pl " + number_words(std::round(watts)) + " (as root)";
}

// The limit was lowered: what the old one would bring.
void raise(const Situation& s, const GpuFacts& gpu, bool matters, Finding& finding) {
  const double most = gpu.max_power_limit->value();
  finding.why += "; the limit is " + format_reading(gpu.power_limit, " W") + " and may be " +
                 format_reading(gpu.max_power_limit, " W");
  finding.evidence.push_back({"max_power_limit", most, "W"});
  finding.action = "raise it if power and cooling allow: " + command(gpu, most);
  finding.changes.push_back({kPowerLimit, number_words(std::round(gpu.power_limit->value())), number_words(std::round(most))});
  finding.risk.what = "the limit may be there for a reason: power supply, cooling, a shared machine";
  double high = 1 / std::max(0.3, *gpu.clock_share);
  if (const auto effect = power_effect(gpu.power_limit->value() / most, precision_of(s.facts))) {
    finding.action += "; as it is, the run is " + in_words(*effect);
    high = std::min(high, 1 / effect->speed.low);
  }
  if (matters) finding.speedup->high = high;
}

// The board allows no more: less power costs little.
void lower(const Situation& s, const GpuFacts& gpu, Finding& finding) {
  constexpr double kStep = 5;  // watts
  finding.severity = Severity::kInfo;
  finding.action = "the board allows no more; mixed precision does more work per watt";
  if (!gpu.power_limit || gpu.power_limit->value() <= 0) return;
  const double watts = std::round(gpu.power_limit->value() * s.limits.least_power / 100 / kStep) * kStep;
  const auto effect = power_effect(watts / gpu.power_limit->value(), precision_of(s.facts));
  if (!effect) return;
  finding.action += ". To save energy: at " + number_words(watts) + " W " + in_words(*effect) + ": " + command(gpu, watts);
}

}  // namespace

std::optional<Finding> power_cap(const Situation& s) {
  std::vector<const GpuFacts*> capped;
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!s.share_above(gpu->power_cap_share, s.limits.power_capped) || !gpu->clock_share) continue;
    if (s.above((1 - *gpu->clock_share) * 100, s.limits.clock_deficit)) capped.push_back(gpu);
  }
  if (capped.empty()) return std::nullopt;
  const auto& gpu = **std::min_element(capped.begin(), capped.end(), [](const GpuFacts* a, const GpuFacts* b) {
    return *a->clock_share < *b->clock_share;
  });
  Finding finding{.id = "power_cap", .severity = Severity::kWarning};
  finding.title = "The power limit slows " + gpus_in_words(s.facts, capped);
  finding.why = "GPU " + std::to_string(gpu.index) + " is held at its power limit " + percent_words(*gpu.power_cap_share) +
                " of the time and runs at " + percent_words(*gpu.clock_share) + " of its clock";
  if (capped.size() > 1) finding.why += "; it is the worst of " + std::to_string(capped.size());
  finding.evidence = {{"power_capped", *gpu.power_cap_share * 100, "%", s.limits.power_capped},
                      {"clock", *gpu.clock_share * 100, "%", 100 - s.limits.clock_deficit}};
  const bool lowered = gpu.power_limit && gpu.max_power_limit && *gpu.power_limit < *gpu.max_power_limit * 0.95;
  if (gpu.power_limit) finding.evidence.push_back({"power_limit", gpu.power_limit->value(), "W"});
  const bool matters = s.diagnosis.bottleneck == StepPart::kGpuCompute || s.diagnosis.bottleneck == StepPart::kUnknown;
  finding.speedup = Speedup{1, 1};
  if (lowered) {
    raise(s, gpu, matters, finding);
  } else {
    lower(s, gpu, finding);
  }
  finding.confidence = 0.85;
  return finding;
}

}  // namespace gputop::rules
