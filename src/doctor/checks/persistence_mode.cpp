// persistence_mode — without it the driver unloads the GPU's state whenever nothing uses it.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict persistence_mode(const Machine& machine) {
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    if (!gpu.persistence) return std::nullopt;
                    return *gpu.persistence ? GpuFinding{} : GpuFinding{Level::kWarn, "off"};
                  },
                  "on",
                  {Level::kWarn,
                   {},
                   "each start of a job waits 1-3 s for the GPU, and power limits are forgotten",
                   "nvidia-smi -pm 1",
                   true});
}

}  // namespace gputop::doctor::checks
