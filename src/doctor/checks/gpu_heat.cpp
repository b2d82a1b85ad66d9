// gpu_heat — how far the GPU is from slowing itself down.
#include <algorithm>

#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {
namespace {

constexpr double kNear = 5;  // degrees from the limit

// The share of time in which heat slowed it down, from the driver's counters.
double slowed_share(const GpuReading& gpu) {
  return std::max(gpu.slowed.software_thermal.value_or(Percent{0}).value(),
                  gpu.slowed.hardware_thermal.value_or(Percent{0}).value());
}

Reading<Celsius> margin_of(const GpuReading& gpu) {
  if (gpu.health.thermal_margin) return gpu.health.thermal_margin;
  if (gpu.temperature && gpu.slowdown_temperature) return *gpu.slowdown_temperature - *gpu.temperature;
  return std::nullopt;
}

}  // namespace

Verdict gpu_heat(const Machine& machine) {
  return each_gpu(
      machine,
      [](const GpuReading& gpu) -> std::optional<GpuFinding> {
        const bool slowed = gpu.throttle && (gpu.throttle->has(ThrottleReason::kSoftwareThermal) ||
                                             gpu.throttle->has(ThrottleReason::kHardwareThermal));
        const std::string now = gpu.temperature ? " at " + format_number(gpu.temperature->value(), 0) + " °C" : "";
        constexpr double kMuch = 5;  // % of the time
        if (const double share = slowed_share(gpu); share >= kMuch)
          return GpuFinding{Level::kBad, "slowed by heat " + format_number(share, 0) + " % of the time" + now};
        if (slowed) return GpuFinding{Level::kBad, "slowed by heat" + now};
        const auto margin = margin_of(gpu);
        if (!margin) return std::nullopt;
        if (margin->value() > kNear) return GpuFinding{};
        if (margin->value() <= 0) return GpuFinding{Level::kWarn, "at its limit" + now};
        return GpuFinding{Level::kWarn, format_number(margin->value(), 0) + " degrees below its limit" + now};
      },
      "far enough from the limit",
      {Level::kWarn,
       {},
       "a hot GPU lowers its clock: up to 40 % slower",
       "clear the airflow, raise the fan, or cap the power: nvidia-smi -i {gpu} -pl WATTS",
       true});
}

}  // namespace gputop::doctor::checks
