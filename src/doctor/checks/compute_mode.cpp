// compute_mode — exclusive or prohibited: a second process on the GPU fails.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict compute_mode(const Machine& machine) {
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    if (!gpu.health.compute_mode) return std::nullopt;
                    switch (*gpu.health.compute_mode) {
                      case 0: return GpuFinding{};
                      case 2: return GpuFinding{Level::kBad, "compute is prohibited"};
                      default: return GpuFinding{Level::kWarn, "exclusive: one process at a time"};
                    }
                  },
                  "default (shared)",
                  {Level::kWarn,
                   {},
                   "a second process on it ends with \"all CUDA-capable devices are busy\"",
                   "nvidia-smi -i {gpu} -c 0",
                   true});
}

}  // namespace gputop::doctor::checks
