// pcie_replays — the link repeats packets: a bad contact or riser.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict pcie_replays(const Machine& machine) {
  constexpr unsigned kMany = 100;  // a handful is normal after a reset
  return each_gpu(
      machine,
      [](const GpuReading& gpu) -> std::optional<GpuFinding> {
        if (!gpu.health.pcie_replays) return std::nullopt;
        if (*gpu.health.pcie_replays < kMany) return GpuFinding{};
        return GpuFinding{Level::kWarn, std::to_string(*gpu.health.pcie_replays) + " packets were sent again"};
      },
      "hardly any packets were sent again",
      {Level::kWarn, {}, "slow copies, and sooner or later Xid 79", "reseat the card or its riser cable", false});
}

}  // namespace gputop::doctor::checks
