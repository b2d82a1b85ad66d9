// The host over the window.
#include <algorithm>

#include "app/facts/parts.hpp"

namespace gputop::facts {
namespace {

Reading<Percent> percent(const Reading<double>& value) {
  return value ? Reading<Percent>{Percent{*value}} : std::nullopt;
}

}  // namespace

void add_host(Gathering& gathering) {
  const auto& host = gathering.model.host;
  const auto& windows = gathering.model.host_windows;
  auto& facts = gathering.facts.host;
  facts.usable_cores = host.usable_cpus;
  facts.cpu = percent(mean(windows.cpu, gathering));
  facts.io_wait = percent(mean(windows.io_wait, gathering));
  facts.cpu_pressure = percent(mean(windows.cpu_pressure, gathering));
  facts.io_pressure = percent(mean(windows.io_pressure, gathering));
  facts.memory_pressure = percent(mean(windows.memory_pressure, gathering));
  facts.quota_throttled = percent(mean(windows.throttled, gathering));
  facts.memory_total = host.memory_total;
  facts.memory_used = host.memory_used;
  const auto& group = host.cgroup;
  if (group.memory_limit && group.memory_used && (!host.memory_total || *group.memory_limit < *host.memory_total)) {
    facts.memory_total = group.memory_limit;
    facts.memory_used = group.memory_used;
  }
  facts.swap_used = host.swap_used;
  facts.shm_total = host.shm_total;
  facts.shm_used = host.shm_used;
  if (const auto read = mean(windows.disk_read, gathering)) facts.disk_read = BytesPerSecond{*read};
  facts.disk_busy = percent(mean(windows.disk_busy, gathering));
  const auto now = gathering.model.now;
  if (const auto tree = gathering.model.tree.resident.statistics(now - kLongWindow, now))
    facts.memory_slope = tree->slope_per_second;
  const auto kills = group.oom_kills ? group.oom_kills : host.oom_kills;
  if (kills && windows.oom_kills_before) facts.oom_kills = *kills - std::min(*kills, *windows.oom_kills_before);
}

}  // namespace gputop::facts
