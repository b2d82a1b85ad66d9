#include "fake_nvml/scenario.hpp"

#include <algorithm>

namespace fake_nvml {
namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Metric::kCount)> kMetricNames{"utilization",
                                                                                         "memory_utilization",
                                                                                         "encoder",
                                                                                         "decoder",
                                                                                         "memory_total",
                                                                                         "memory_used",
                                                                                         "memory_reserved",
                                                                                         "temperature",
                                                                                         "slowdown_temperature",
                                                                                         "fan",
                                                                                         "power",
                                                                                         "power_limit",
                                                                                         "max_power_limit",
                                                                                         "energy",
                                                                                         "sm_clock",
                                                                                         "memory_clock",
                                                                                         "max_sm_clock",
                                                                                         "max_memory_clock",
                                                                                         "pcie_rx",
                                                                                         "pcie_tx",
                                                                                         "pcie_generation",
                                                                                         "pcie_width",
                                                                                         "max_pcie_generation",
                                                                                         "max_pcie_width",
                                                                                         "performance_state",
                                                                                         "persistence",
                                                                                         "throttle",
                                                                                         "ecc_corrected",
                                                                                         "ecc_uncorrected",
                                                                                         "nvlinks",
                                                                                         "active_nvlinks",
                                                                                         "nvlink_errors",
                                                                                         "compute_capability",
                                                                                         "mig",
                                                                                         "default_power_limit",
                                                                                         "thermal_margin",
                                                                                         "ecc_mode",
                                                                                         "ecc_pending",
                                                                                         "pages_pending",
                                                                                         "remap_pending",
                                                                                         "remap_failed",
                                                                                         "recovery_action",
                                                                                         "pcie_replays",
                                                                                         "compute_mode",
                                                                                         "memory_temperature",
                                                                                         "pcie_tx_bytes",
                                                                                         "pcie_rx_bytes",
                                                                                         "power_cap_time",
                                                                                         "sw_thermal_time",
                                                                                         "hw_thermal_time",
                                                                                         "power_brake_time",
                                                                                         "nvlink_tx_bytes",
                                                                                         "nvlink_rx_bytes",
                                                                                         "gpm_sm",
                                                                                         "gpm_occupancy",
                                                                                         "gpm_tensor",
                                                                                         "gpm_dram"};

}  // namespace

std::optional<Metric> metric_named(const std::string& name) {
  const auto found = std::find(kMetricNames.begin(), kMetricNames.end(), name);
  if (found == kMetricNames.end()) return std::nullopt;
  return static_cast<Metric>(found - kMetricNames.begin());
}

const char* const kDefaultScenario = R"(
gpus 2
gpu * name "NVIDIA GeForce RTX 3090"
gpu * utilization wave 20 95 30
gpu * memory_utilization wave 5 60 30
gpu * memory_total 24GiB
gpu * memory_reserved 300MiB
gpu * memory_used linear 0:2GiB 120:20GiB
gpu * temperature wave 45 71 60
gpu * slowdown_temperature 95
gpu * fan 40+10i
gpu * power wave 90 320 30
gpu * power_limit 350
gpu * max_power_limit 390
gpu * energy linear 0:1000 86400:21600000
gpu * sm_clock wave 1200 1695 30
gpu * memory_clock 9501
gpu * max_sm_clock 2100
gpu * max_memory_clock 9751
gpu * pcie_rx wave 1000 900000 20
gpu * pcie_tx wave 500 400000 20
gpu * pcie_generation 4
gpu * pcie_width 16
gpu * max_pcie_generation 4
gpu * max_pcie_width 16
gpu * performance_state 2
gpu * persistence on
gpu * throttle cycle 10 gpu_idle 0 sw_power_cap
gpu * encoder 0
gpu * decoder 0
gpu * compute_capability 8.6
gpu * process self type C memory 1GiB sm 50
)";

}  // namespace fake_nvml
