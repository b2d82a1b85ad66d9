// The host's part of Facts.
#include <algorithm>

#include "gputop/app/gather_facts.hpp"

namespace gputop {
namespace {

Reading<Percent> mean_of(const TieredSeries& series, Instant now, Duration window) {
  const Duration span = std::min<Duration>(window, now.time_since_epoch());
  if (series.empty() || span <= Duration{}) return std::nullopt;
  const auto column = series.columns(now - span, now + std::chrono::seconds{1}, 1).front();
  if (!column) return std::nullopt;
  return Percent{column->mean()};
}

}  // namespace

HostFacts host_facts(const Model& model, Duration window) {
  HostFacts facts;
  if (!model.host_known) return facts;
  const auto& host = model.host;
  facts.usable_cores = host.usable_cpus ? host.usable_cpus : host.cpu_count > 0 ? Reading<double>{host.cpu_count} : std::nullopt;
  facts.cpu = mean_of(model.host_cpu, model.now, window);
  facts.io_wait = host.io_wait;
  facts.cpu_pressure = host.cpu_pressure.some;
  facts.io_pressure = host.io_pressure.some;
  facts.memory_pressure = host.memory_pressure.some;
  facts.quota_throttled = host.cgroup.throttled;
  facts.memory_total = host.memory_total;
  facts.memory_used = host.memory_used;
  const auto& cgroup = host.cgroup;
  if (cgroup.memory_limit && cgroup.memory_used && (!host.memory_total || *cgroup.memory_limit < *host.memory_total)) {
    facts.memory_total = cgroup.memory_limit;
    facts.memory_used = cgroup.memory_used;
  }
  facts.swap_used = host.swap_used;
  facts.shm_total = host.shm_total;
  facts.shm_used = host.shm_used;
  for (const auto& disk : host.disks) {
    if (disk.busy && (!facts.disk_busy || *disk.busy > *facts.disk_busy)) facts.disk_busy = disk.busy;
    if (disk.read) facts.disk_read = facts.disk_read.value_or(BytesPerSecond{}) + *disk.read;
  }
  return facts;
}

}  // namespace gputop
