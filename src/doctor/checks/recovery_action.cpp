// recovery_action — the driver asks for a reset or a reboot (drivers since 570).
#include <array>
#include <string_view>

#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict recovery_action(const Machine& machine) {
  constexpr std::array<std::string_view, 8> kActions{"none",
                                                     "reset the GPU",
                                                     "reboot the machine",
                                                     "end the jobs on all GPUs it talks to",
                                                     "end its jobs, then reset it",
                                                     "recover the IMEX domain",
                                                     "reset the bus",
                                                     "reboot the system"};
  return each_gpu(machine,
                  [&](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    const auto action = gpu.health.recovery_action;
                    if (!action) return std::nullopt;
                    if (*action == 0) return GpuFinding{};
                    const bool known = *action < kActions.size();
                    return GpuFinding{Level::kBad, "the driver asks to " +
                                                       (known ? std::string{kActions.at(*action)}
                                                              : "recover (action " + std::to_string(*action) + ")")};
                  },
                  "the driver asks for none",
                  {Level::kBad,
                   {},
                   "the GPU may fail at any time",
                   "save the run's checkpoint, then: nvidia-smi -r -i {gpu}, or reboot",
                   true});
}

}  // namespace gputop::doctor::checks
