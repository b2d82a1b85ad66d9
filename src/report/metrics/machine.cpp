// GPUs, their users, and the host.
#include <map>

#include "gputop/report/open_metrics.hpp"
#include "report/metrics/lines.hpp"

namespace gputop {
namespace {

using metrics::Family;
using metrics::Lines;

Reading<double> hertz(const Reading<Megahertz>& clock) {
  return clock ? Reading<double>{clock->value() * 1e6} : std::nullopt;
}

std::string user_of(const Model& model, std::int64_t pid) {
  for (const auto& row : model.processes) {
    if (row.pid == pid && row.host) return row.host->user;
  }
  return {};
}

// A display server holds a little of every GPU and trains on none: only compute processes count.
void put_holders(Lines& lines, const Model& model, const GpuReading& gpu) {
  if (!gpu.processes) return;
  struct Held {
    unsigned processes = 0;
    Bytes memory;
    bool memory_known = true;
  };
  std::map<std::string, Held> users;
  for (const auto& process : *gpu.processes) {
    if (process.type == GpuProcessType::kGraphics) continue;
    auto& held = users[user_of(model, process.pid)];
    ++held.processes;
    if (process.memory_used) held.memory += *process.memory_used;
    held.memory_known = held.memory_known && process.memory_used;
  }
  if (users.empty()) lines.put(Family::kGpuProcesses, 0.0);
  for (const auto& [user, held] : users) {
    lines.put(Family::kGpuProcesses, static_cast<double>(held.processes), {{"user", user}});
    if (held.memory_known)
      lines.put(Family::kGpuUserMemory, static_cast<double>(held.memory.value()), {{"user", user}});
  }
}

void put_throttle(Lines& lines, const Reading<ThrottleReasons>& throttle) {
  if (!throttle) return;
  using enum ThrottleReason;
  const bool thermal = throttle->has(kSoftwareThermal) || throttle->has(kHardwareThermal);
  const bool power =
      throttle->has(kSoftwarePowerCap) || throttle->has(kHardwarePowerBrake) || (throttle->has(kHardwareSlowdown) && !thermal);
  lines.put(Family::kGpuThrottled, power ? 1.0 : 0.0, {{"reason", "power"}});
  lines.put(Family::kGpuThrottled, thermal ? 1.0 : 0.0, {{"reason", "thermal"}});
}

void put_gpu(Lines& lines, const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  const auto index = std::to_string(gpu.index);
  // If the driver does not report the UUID, the index is all there is.
  const auto uuid = gpu.uuid.empty() ? "index-" + index : gpu.uuid;
  lines.begin_with({{"uuid", uuid}});
  lines.put(Family::kGpuInfo, 1.0,
            {{"gpu", index},
             {"name", gpu.name},
             {"pci_bus_id", gpu.pci_bus_id},
             {"driver", model.gpu_source.driver_version},
             {"simulated", model.simulated ? "true" : ""}});
  lines.put(Family::kGpuUp, gpu.state == GpuState::kOk ? 1.0 : 0.0);
  lines.put_ratio(Family::kGpuUtilization, gpu.utilization);
  lines.put_ratio(Family::kGpuMemoryBusy, gpu.memory_utilization);
  lines.put_ratio(Family::kGpuActivity, gpu.activity.sm, {{"part", "sm"}});
  lines.put_ratio(Family::kGpuActivity, gpu.activity.occupancy, {{"part", "occupancy"}});
  lines.put_ratio(Family::kGpuActivity, gpu.activity.tensor, {{"part", "tensor"}});
  lines.put_ratio(Family::kGpuActivity, gpu.activity.dram, {{"part", "dram"}});
  lines.put(Family::kGpuMemoryUsed, gpu.memory_used);
  lines.put(Family::kGpuMemoryTotal, gpu.memory_total);
  lines.put(Family::kGpuTemperature, gpu.temperature);
  lines.put(Family::kGpuSlowdown, gpu.slowdown_temperature);
  lines.put(Family::kGpuMemoryTemperature, gpu.memory_temperature);
  lines.put_ratio(Family::kGpuFan, gpu.fan);
  lines.put(Family::kGpuPower, gpu.power);
  lines.put(Family::kGpuPowerLimit, gpu.power_limit);
  lines.put(Family::kGpuEnergy, gpu.energy);
  lines.put(Family::kGpuSmClock, hertz(gpu.sm_clock));
  lines.put(Family::kGpuSmClockMax, hertz(gpu.max_sm_clock));
  lines.put(Family::kGpuMemoryClock, hertz(gpu.memory_clock));
  put_throttle(lines, gpu.throttle);
  lines.put(Family::kGpuPcieReceive, gpu.pcie_rx);
  lines.put(Family::kGpuPcieTransmit, gpu.pcie_tx);
  lines.put(Family::kGpuPcieWidth, gpu.pcie.width);
  lines.put(Family::kGpuPcieMaxWidth, gpu.pcie.max_width);
  lines.put(Family::kGpuPcieReplays, gpu.health.pcie_replays);
  lines.put(Family::kGpuEcc, gpu.ecc_corrected, {{"type", "corrected"}});
  lines.put(Family::kGpuEcc, gpu.ecc_uncorrected, {{"type", "uncorrected"}});
  lines.put(Family::kGpuXid, static_cast<double>(track.xid_count));
  if (track.xid_count > 0) lines.put(Family::kGpuLastXid, static_cast<double>(track.last_xid));
  put_holders(lines, model, gpu);
  lines.begin_with({});
}

void put_host(Lines& lines, const HostReading& host) {
  lines.put(Family::kHostCpus, static_cast<double>(host.cpu_count));
  lines.put_ratio(Family::kHostCpu, host.cpu);
  lines.put_ratio(Family::kHostIoWait, host.io_wait);
  lines.put(Family::kHostLoad, host.load1);
  lines.put_ratio(Family::kHostPressure, host.cpu_pressure.some, {{"resource", "cpu"}});
  lines.put_ratio(Family::kHostPressure, host.memory_pressure.some, {{"resource", "memory"}});
  lines.put_ratio(Family::kHostPressure, host.io_pressure.some, {{"resource", "io"}});
  lines.put(Family::kHostMemoryUsed, host.memory_used);
  lines.put(Family::kHostMemoryTotal, host.memory_total);
  lines.put(Family::kHostShmUsed, host.shm_used);
  lines.put(Family::kHostShmTotal, host.shm_total);
  lines.put(Family::kHostOomKills, host.oom_kills);
}

}  // namespace

std::string machine_metrics(const Model& model) {
  Lines lines;
  lines.put(Family::kBuildInfo, 1.0, {{"version", GPUTOP_VERSION}});
  // Unknown until the driver has answered for the first time.
  if (!model.gpu_source.source.empty())
    lines.put(Family::kSourceUp, model.gpu_source.state == SourceStatus::State::kOk ? 1.0 : 0.0);
  for (const auto& track : model.gpus) put_gpu(lines, model, track);
  if (model.host_known) put_host(lines, model.host);
  return lines.take();
}

}  // namespace gputop
