// ecc_memory — uncorrectable memory errors, or an ECC change that waits for a reset.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict ecc_memory(const Machine& machine) {
  auto verdict = each_gpu(
      machine,
      [](const GpuReading& gpu) -> std::optional<GpuFinding> {
        if (!gpu.ecc_uncorrected && !gpu.health.ecc_enabled) return std::nullopt;
        if (gpu.ecc_uncorrected && *gpu.ecc_uncorrected > 0) {
          return GpuFinding{Level::kBad, std::to_string(*gpu.ecc_uncorrected) +
                                             " uncorrectable memory errors since the driver was loaded"};
        }
        if (gpu.health.ecc_enabled && gpu.health.ecc_pending && *gpu.health.ecc_enabled != *gpu.health.ecc_pending) {
          return GpuFinding{Level::kWarn, std::string{"ECC will be switched "} +
                                              (*gpu.health.ecc_pending ? "on" : "off") + " at the next reset"};
        }
        return GpuFinding{};
      },
      "no uncorrectable errors",
      {Level::kBad,
       {},
       "a wrong value can spoil the weights, or the run dies with Xid 48 or 94",
       "nvidia-smi -r -i {gpu}; if it comes back, replace the card",
       true});
  if (verdict.level == Level::kWarn) {
    verdict.cost = "ECC costs up to 6 % of the memory of cards without HBM, and some speed";
    verdict.fix = "nothing if this is intended; otherwise nvidia-smi -e 0 or -e 1 before the reset";
  }
  return verdict;
}

}  // namespace gputop::doctor::checks
