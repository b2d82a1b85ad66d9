// mig_mode — the card is cut into instances, or would be and has none.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict mig_mode(const Machine& machine) {
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    if (!gpu.mig_enabled) return std::nullopt;
                    if (!*gpu.mig_enabled) return GpuFinding{};
                    if (gpu.mig.empty()) return GpuFinding{Level::kBad, "MIG is on and there is no instance"};
                    return GpuFinding{Level::kWarn, "cut into " + std::to_string(gpu.mig.size()) +
                                                        (gpu.mig.size() == 1 ? " instance" : " instances")};
                  },
                  "off",
                  {Level::kWarn,
                   {},
                   "a run sees one instance, not the card",
                   "on purpose? If not: nvidia-smi -i {gpu} -mig 0",
                   true});
}

}  // namespace gputop::doctor::checks
