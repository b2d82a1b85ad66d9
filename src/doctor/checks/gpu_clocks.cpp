// gpu_clocks — a setting, not load, heat or power, keeps the clocks below the maximum.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict gpu_clocks(const Machine& machine) {
  constexpr double kNearlyAll = 0.97;  // of the highest clock: nothing is lost
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    if (!gpu.throttle) return std::nullopt;
                    if (!gpu.throttle->has(ThrottleReason::kApplicationClocks)) return GpuFinding{};
                    std::string at = "held by application clocks or locked clocks";
                    if (gpu.sm_clock && gpu.max_sm_clock) {
                      if (*gpu.sm_clock / *gpu.max_sm_clock > kNearlyAll) return GpuFinding{};
                      at += ": " + format_number(gpu.sm_clock->value(), 0) + " of " +
                            format_number(gpu.max_sm_clock->value(), 0) + " MHz now";
                    }
                    return GpuFinding{Level::kWarn, at};
                  },
                  "not held by a setting",
                  {Level::kWarn,
                   {},
                   "speed falls with the clock",
                   "nvidia-smi -i {gpu} -rac (application clocks) and -rgc (locked clocks)",
                   true});
}

}  // namespace gputop::doctor::checks
