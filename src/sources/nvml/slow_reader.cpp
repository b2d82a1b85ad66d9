#include "sources/nvml/slow_reader.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "sources/nvml/read.hpp"

namespace gputop::nvml {
namespace {

// NVML says "KB/s" but counts in 1024; nvtop, nvitop and netdata read it the same way.
constexpr double kBytesPerKilobyte = 1024;

Reading<BytesPerSecond> read_direction(const Api& api, Calls& calls, int direction) {
  return read_number<BytesPerSecond>(calls, 1 / kBytesPerKilobyte, api.nvmlDeviceGetPcieThroughput, direction);
}

}  // namespace

void SlowReader::read_fixed(const Api& api, Calls& calls, GpuReading& gpu) {
  if (fixed_known_) return;
  ComputeCapability capability;
  if (calls(api.nvmlDeviceGetCudaComputeCapability, &capability.major, &capability.minor) == Code::kSuccess) {
    gpu.compute_capability = capability;
  }
  gpu.max_sm_clock = read_number<Megahertz>(calls, 1, api.nvmlDeviceGetMaxClockInfo, kClockSm);
  gpu.max_memory_clock = read_number<Megahertz>(calls, 1, api.nvmlDeviceGetMaxClockInfo, kClockMemory);
  gpu.slowdown_temperature = read_number<Celsius>(calls, 1, api.nvmlDeviceGetTemperatureThreshold, kThresholdSlowdown);
  gpu.pcie.max_generation = read_raw<unsigned>(calls, api.nvmlDeviceGetMaxPcieLinkGeneration);
  gpu.pcie.max_width = read_raw<unsigned>(calls, api.nvmlDeviceGetMaxPcieLinkWidth);
  unsigned least_mw = 0;
  unsigned most_mw = 0;
  if (calls(api.nvmlDeviceGetPowerManagementLimitConstraints, &least_mw, &most_mw) == Code::kSuccess) {
    gpu.max_power_limit = Watts{most_mw / 1000.0};
  }
  fixed_known_ = !calls.had_trouble() && !calls.lost();
}

void SlowReader::read_settings(const Api& api, Calls& calls, GpuReading& gpu) {
  unsigned limit_mw = 0;
  gpu.power_limit.reset();
  if (newer_or_older(
          calls, enforced_limit_refused_, [&] { return calls(api.nvmlDeviceGetEnforcedPowerLimit, &limit_mw); },
          [&] { return calls(api.nvmlDeviceGetPowerManagementLimit, &limit_mw); }) == Code::kSuccess) {
    gpu.power_limit = Watts{limit_mw / 1000.0};
  }
  gpu.persistence.reset();
  if (const auto mode = read_raw<int>(calls, api.nvmlDeviceGetPersistenceMode)) gpu.persistence = *mode != 0;
  gpu.pcie.generation = read_raw<unsigned>(calls, api.nvmlDeviceGetCurrPcieLinkGeneration);
  gpu.pcie.width = read_raw<unsigned>(calls, api.nvmlDeviceGetCurrPcieLinkWidth);
  using Count = unsigned long long;
  gpu.ecc_corrected = read_raw<Count>(calls, api.nvmlDeviceGetTotalEccErrors, kEccCorrected, kEccVolatile);
  gpu.ecc_uncorrected = read_raw<Count>(calls, api.nvmlDeviceGetTotalEccErrors, kEccUncorrected, kEccVolatile);
  gpu.health = read_health(api, calls);
  if (!no_nvlink_) {
    const bool had_trouble = calls.had_trouble();
    gpu.nvlink = read_nvlinks(api, calls);
    no_nvlink_ = !gpu.nvlink && !calls.lost() && calls.had_trouble() == had_trouble;
  }
  read_mig(api, calls, gpu, instances_);
}

void SlowReader::read_often(const Api& api, Calls& calls, GpuReading& gpu) {
  unsigned percent = 0;
  gpu.fan.reset();
  if (newer_or_older(
          calls, fan_refused_, [&] { return calls(api.nvmlDeviceGetFanSpeed, &percent); },
          [&] { return calls(api.nvmlDeviceGetFanSpeed_v2, 0U, &percent); }) == Code::kSuccess) {
    gpu.fan = Percent{static_cast<double>(percent)};
  }
  gpu.energy = read_number<Joules, unsigned long long>(calls, 1000, api.nvmlDeviceGetTotalEnergyConsumption);
  gpu.processes = processes_.read(api, calls, instances_);
  counters_.read(api, calls, gpu);
  read_activity(api, calls, gpu);
}

void SlowReader::read_activity(const Api& api, Calls& calls, GpuReading& gpu) {
  if (gpu.mig.empty()) {
    gpu.activity = gpm_.read(api, calls);
    return;
  }
  gpu.activity = {};
  for (auto& instance : gpu.mig) {
    if (!instance.gpu_instance) continue;
    auto reader = std::find_if(mig_gpm_.begin(), mig_gpm_.end(),
                               [&](const auto& one) { return one.gpu_instance() == *instance.gpu_instance; });
    if (reader == mig_gpm_.end()) reader = mig_gpm_.emplace(reader, *instance.gpu_instance);
    instance.activity = reader->read(api, calls);
  }
}

void SlowReader::read_throughput(const Api& api, Calls& calls, GpuReading& gpu, bool once) {
  using namespace std::chrono_literals;
  const bool samples = gpm_.supported() ||
                       std::any_of(mig_gpm_.begin(), mig_gpm_.end(), [](const auto& one) { return one.supported(); });
  if (once && (samples || counters_.counts_pcie())) {
    std::this_thread::sleep_for(samples ? 110ms : 20ms);  // GPM updates its counters every 100 ms
    counters_.read(api, calls, gpu);
    read_activity(api, calls, gpu);
  }
  if (counters_.counts_pcie()) return;
  gpu.pcie_rx = read_direction(api, calls, kPcieReceive);
  gpu.pcie_tx = read_direction(api, calls, kPcieTransmit);
}

}  // namespace gputop::nvml
