// memory_repair — pages to retire or rows to remap wait for a reset.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict memory_repair(const Machine& machine) {
  return each_gpu(machine,
                  [](const GpuReading& gpu) -> std::optional<GpuFinding> {
                    const auto& health = gpu.health;
                    if (!health.pages_pending && !health.remap_pending && !health.remap_failed) return std::nullopt;
                    if (health.remap_failed.value_or(false))
                      return GpuFinding{Level::kBad, "a memory row could not be remapped"};
                    if (health.remap_pending.value_or(false))
                      return GpuFinding{Level::kWarn, "a memory row waits to be remapped"};
                    if (health.pages_pending.value_or(false))
                      return GpuFinding{Level::kWarn, "a memory page waits to be retired"};
                    return GpuFinding{};
                  },
                  "nothing waits for a reset",
                  {Level::kWarn,
                   {},
                   "the bad memory stays in use until then",
                   "nvidia-smi -r -i {gpu} when no job runs; after a failed remap: replace the card",
                   true});
}

}  // namespace gputop::doctor::checks
