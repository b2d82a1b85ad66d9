#include "sources/host/cgroup_meter.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sources/host/cgroup_groups.hpp"
#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

// A process rarely moves to another group, so checking for it can wait.
constexpr Duration kLookAgain = std::chrono::seconds{5};

// The kernel sums memory.stat over all CPUs on each read, which is expensive on a large machine.
constexpr Duration kPageCacheEvery = std::chrono::seconds{1};

// Version 1 writes "no limit" as the largest multiple of a page; no machine has this much.
constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60U;

}  // namespace

CgroupMeter::CpuGroup::CpuGroup(int version, const std::string& folder)
    : quota(folder + (version == 1 ? "/cpu.cfs_quota_us" : "/cpu.max")),
      period(folder + "/cpu.cfs_period_us"),
      stat(folder + "/cpu.stat") {}

CgroupMeter::MemoryGroup::MemoryGroup(int version, const std::string& folder)
    : limit(folder + (version == 1 ? "/memory.limit_in_bytes" : "/memory.max")),
      used(folder + (version == 1 ? "/memory.usage_in_bytes" : "/memory.current")),
      stat(folder + "/memory.stat"),
      events(folder + (version == 1 ? "/memory.oom_control" : "/memory.events")) {}

CgroupMeter::CgroupMeter(const std::string& proc, std::string root)
    : root_(std::move(root)), membership_file_(proc + "/self/cgroup") {}

void CgroupMeter::find_groups(ReadBuffer& buffer) {
  const auto text = membership_file_.read(buffer).value_or(std::string_view{});
  if (text == membership_) return;
  membership_ = text;
  cpu_.clear();
  memory_.clear();
  const auto cpu = find_cgroup_chain(membership_, root_, "cpu");
  cpu_version_ = cpu.version;
  for (const auto& folder : cpu.folders) cpu_.emplace_back(cpu.version, folder);
  const auto memory = find_cgroup_chain(membership_, root_, "memory");
  memory_version_ = memory.version;
  for (const auto& folder : memory.folders) memory_.emplace_back(memory.version, folder);
}

Reading<double> CgroupMeter::cores_allowed(CpuGroup& group, ReadBuffer& buffer) const {
  const auto text = group.quota.read(buffer);
  if (!text) return std::nullopt;
  TextScan scan{*text};
  const auto quota_us = scan.number();  // "max" and -1 mean no limit
  auto period_us = scan.number();
  if (!quota_us) return std::nullopt;
  if (cpu_version_ == 1) {
    const auto period = group.period.read(buffer);
    period_us = period ? TextScan{*period}.number() : std::nullopt;
  }
  if (!period_us || *period_us == 0) return std::nullopt;
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

Reading<Percent> CgroupMeter::throttled_share(CpuGroup& group, ReadBuffer& buffer) {
  const auto text = group.stat.read(buffer);
  const auto periods = text ? value_of(*text, "nr_periods") : std::nullopt;
  const auto throttled = text ? value_of(*text, "nr_throttled") : std::nullopt;
  Reading<Percent> share;
  if (group.counted && periods && throttled) {
    const auto all = growth(group.periods, *periods);
    const auto held = growth(group.throttled, *throttled);
    // No period passed: nothing in the group wanted to run, so nothing was throttled.
    if (all && held)
      share =
          Percent{*all == 0 ? 0.0 : std::min(100.0, 100.0 * static_cast<double>(*held) / static_cast<double>(*all))};
  }
  group.counted = periods && throttled;
  group.periods = periods.value_or(0);
  group.throttled = throttled.value_or(0);
  return share;
}

void CgroupMeter::read_cpu(CgroupReading& reading, ReadBuffer& buffer) {
  for (auto& group : cpu_) {
    const auto cores = cores_allowed(group, buffer);
    if (!cores) {
      group.counted = false;
      continue;
    }
    reading.cpu_limit = reading.cpu_limit ? std::min(*reading.cpu_limit, *cores) : *cores;
    const auto share = throttled_share(group, buffer);
    if (share) reading.throttled = reading.throttled ? std::max(*reading.throttled, *share) : *share;
  }
}

// Excludes page cache that the kernel would reclaim before killing anything: a loader that reads files fills it up to
// the limit.
Reading<Bytes> CgroupMeter::bytes_used(MemoryGroup& group, Instant now, ReadBuffer& buffer) const {
  const auto text = group.used.read(buffer);
  const auto all = text ? TextScan{*text}.number() : std::nullopt;
  if (!all) return std::nullopt;
  if (!group.page_cache_at || now - *group.page_cache_at >= kPageCacheEvery) {
    const auto stat = group.stat.read(buffer).value_or(std::string_view{});
    group.page_cache = value_of(stat, memory_version_ == 1 ? "total_inactive_file" : "inactive_file").value_or(0);
    group.page_cache_at = now;
  }
  return Bytes{*all - std::min(*all, group.page_cache)};
}

void CgroupMeter::read_memory(CgroupReading& reading, Instant now, ReadBuffer& buffer) {
  MemoryGroup* tightest = nullptr;
  for (auto& group : memory_) {
    const auto text = group.limit.read(buffer);
    const auto limit = text ? TextScan{*text}.number() : std::nullopt;
    if (!limit || *limit >= kUnlimited || (reading.memory_limit && reading.memory_limit->value() <= *limit)) continue;
    reading.memory_limit = Bytes{*limit};
    tightest = &group;
  }
  // Everything in the group with the limit counts against it.
  if (tightest) reading.memory_used = bytes_used(*tightest, now, buffer);
  for (auto& group : memory_) {
    if (!reading.memory_used) reading.memory_used = bytes_used(group, now, buffer);
    if (reading.oom_kills) continue;
    if (const auto text = group.events.read(buffer)) reading.oom_kills = value_of(*text, "oom_kill");
  }
}

CgroupReading CgroupMeter::read(Instant now, ReadBuffer& buffer) {
  if (!looked_at_ || now - *looked_at_ >= kLookAgain) {
    find_groups(buffer);
    looked_at_ = now;
  }
  CgroupReading reading;
  // On a machine with both versions, version 1 limits apply if either controller uses it.
  reading.version = cpu_version_ == 1 || memory_version_ == 1 ? 1 : std::max(cpu_version_, memory_version_);
  read_cpu(reading, buffer);
  read_memory(reading, now, buffer);
  return reading;
}

}  // namespace gputop::host
