// power_limit — someone set it below the card's default.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict power_limit(const Machine& machine) {
  constexpr double kMuch = 0.9;  // of the default: below, speed is lost
  const auto watts = [](Watts value) { return format_number(value.value(), 0) + " W"; };
  std::string fix;
  auto verdict = each_gpu(
      machine,
      [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
        if (!gpu.power_limit || !gpu.health.default_power_limit) return std::nullopt;
        if (*gpu.power_limit >= *gpu.health.default_power_limit) return GpuFinding{};
        const bool much = *gpu.power_limit / *gpu.health.default_power_limit < kMuch;
        if (much && fix.empty()) {
          fix = "if that is not on purpose: nvidia-smi -i " + std::to_string(gpu.index) + " -pl " +
                format_number(gpu.health.default_power_limit->value(), 0);
        }
        return GpuFinding{much ? Level::kWarn : Level::kOk, "limited to " + watts(*gpu.power_limit) + " (default " +
                                                                watts(*gpu.health.default_power_limit) + ")"};
      },
      "at its default, or within 10 % of it",
      {Level::kWarn, {}, "about 5 % of speed at 80 % of the power, more below; it saves energy", {}, true});
  if (verdict.level >= Level::kWarn) verdict.fix = std::move(fix);
  return verdict;
}

}  // namespace gputop::doctor::checks
