// gpu_fan — a fan that is stopped on a warm card. Cards stop it on purpose while they are cool.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict gpu_fan(const Machine& machine) {
  constexpr double kWarm = 65;  // °C: at this temperature, every card that may stop its fan runs it
  return each_gpu(
      machine,
      [](const GpuReading& gpu) -> std::optional<GpuFinding> {
        if (!gpu.fan || !gpu.temperature) return std::nullopt;
        if (gpu.fan->value() > 0 || gpu.temperature->value() < kWarm) return GpuFinding{};
        return GpuFinding{Level::kBad, "the fan is stopped at " + format_number(gpu.temperature->value(), 0) + " °C"};
      },
      "turning, or not needed",
      {Level::kBad,
       {},
       "the GPU overheats and slows down",
       "check the fan and its cable; nvidia-settings may have fixed its speed",
       false});
}

}  // namespace gputop::doctor::checks
