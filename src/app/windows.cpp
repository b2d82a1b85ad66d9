// What the advisor's windows keep of a reading.
#include <algorithm>

#include "gputop/app/model.hpp"

namespace gputop {
namespace {

template <class Quantity>
void push(History& history, Instant at, const Reading<Quantity>& reading, const Retention& retention = {}) {
  if (reading) history.push(at, static_cast<double>(reading->value()), retention);
}

constexpr double kBusy = 10;  // %: an idle GPU lowers its clock by itself

// The share of the time since the last reading, by newer drivers' counters; of older ones the bit at this moment.
Reading<double> slowed(const GpuReading& gpu, const Reading<Percent>& counted, ThrottleReason reason) {
  if (counted) return std::clamp(counted->value() / 100, 0.0, 1.0);
  return gpu.throttle ? Reading<double>{gpu.throttle->has(reason) ? 1.0 : 0.0} : std::nullopt;
}

// The two reasons of a kind may hold at the same time.
void push_worse(History& history, Instant at, const Reading<double>& one, const Reading<double>& other, const Retention& retention) {
  if (one || other) history.push(at, std::max(one.value_or(0), other.value_or(0)), retention);
}

}  // namespace

void GpuWindows::add(const GpuReading& gpu, Instant at, const GpuRetention& retention) {
  const auto& readings = retention.readings;
  push(memory, at, gpu.memory_used, retention.memory);
  push(temperature, at, gpu.temperature, readings);
  push(memory_busy, at, gpu.memory_utilization, readings);
  push(pcie_rx, at, gpu.pcie_rx, readings);
  push(sm, at, gpu.activity.sm, readings);
  push(tensor, at, gpu.activity.tensor, readings);
  push(dram, at, gpu.activity.dram, readings);
  const bool busy = gpu.utilization && gpu.utilization->value() >= kBusy;
  if (busy && gpu.sm_clock && gpu.max_sm_clock && gpu.max_sm_clock->value() > 0) {
    clock.push(at, *gpu.sm_clock / *gpu.max_sm_clock, readings);
  }
  const auto& counted = gpu.slowed;
  push_worse(thermal, at, slowed(gpu, counted.software_thermal, ThrottleReason::kSoftwareThermal),
             slowed(gpu, counted.hardware_thermal, ThrottleReason::kHardwareThermal), readings);
  push_worse(power_cap, at, slowed(gpu, counted.power_cap, ThrottleReason::kSoftwarePowerCap),
             slowed(gpu, counted.power_brake, ThrottleReason::kHardwarePowerBrake), readings);
}

void HostWindows::add(const HostReading& host, Instant at) {
  push(cpu, at, host.cpu);
  push(io_wait, at, host.io_wait);
  push(throttled, at, host.cgroup.throttled);
  push(cpu_pressure, at, host.cpu_pressure.some);
  push(io_pressure, at, host.io_pressure.some);
  push(memory_pressure, at, host.memory_pressure.some);
  Reading<double> read;
  Reading<double> busy;
  for (const auto& disk : host.disks) {
    if (disk.read) read = read.value_or(0) + disk.read->value();
    if (disk.busy) busy = std::max(busy.value_or(0), disk.busy->value());
  }
  if (read) disk_read.push(at, *read);
  if (busy) disk_busy.push(at, *busy);
  if (!oom_kills_before) oom_kills_before = host.cgroup.oom_kills ? host.cgroup.oom_kills : host.oom_kills;
}

}  // namespace gputop
