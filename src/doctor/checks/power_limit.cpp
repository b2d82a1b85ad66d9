// power_limit — somebody has set it below the card's default.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict power_limit(const Machine& machine) {
  constexpr double kMuch = 0.9;  // of the default: below, speed is lost
  const auto watts = [](Watts value) { return format_number(value.value(), 0) + " W"; };
  Reading<Watts> normal;
  auto verdict = each_gpu(
      machine,
      [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
        if (!gpu.power_limit || !gpu.health.default_power_limit) return std::nullopt;
        if (*gpu.power_limit >= *gpu.health.default_power_limit) return GpuFinding{};
        if (!normal) normal = gpu.health.default_power_limit;
        const bool much = *gpu.power_limit / *gpu.health.default_power_limit < kMuch;
        return GpuFinding{much ? Level::kWarn : Level::kOk, "limited to " + watts(*gpu.power_limit) + " (default " +
                                                                watts(*gpu.health.default_power_limit) + ")"};
      },
      "at its default",
      {Level::kWarn, {}, "about 5 % of speed at 80 % of the power, more below; it saves energy", {}, true});
  if (verdict.level >= Level::kWarn)
    verdict.fix = "if that is not on purpose: nvidia-smi -pl " + format_number(normal->value(), 0);
  return verdict;
}

}  // namespace gputop::doctor::checks
