// The limits of this process's control groups, and how often they throttled it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputop/core/host.hpp"
#include "sources/host/kernel_file.hpp"

namespace gputop::host {

class CgroupMeter {
 public:
  CgroupMeter(const std::string& proc, std::string root);

  CgroupReading read(Instant now, ReadBuffer& buffer);

 private:
  struct CpuGroup {
    CpuGroup(int version, const std::string& folder);
    KeptFile quota;   // v2: quota and period in one file
    KeptFile period;  // v1 only
    KeptFile stat;
    bool counted = false;  // the counters below are from the last reading
    std::uint64_t periods = 0;
    std::uint64_t throttled = 0;
  };
  struct MemoryGroup {
    MemoryGroup(int version, const std::string& folder);
    KeptFile limit;
    KeptFile used;
    KeptFile stat;
    KeptFile events;
    std::uint64_t page_cache = 0;    // that the kernel would reclaim
    Reading<Instant> page_cache_at;  // when it was read
  };

  void find_groups(ReadBuffer& buffer);
  void read_cpu(CgroupReading& reading, ReadBuffer& buffer);
  void read_memory(CgroupReading& reading, Instant now, ReadBuffer& buffer);
  Reading<double> cores_allowed(CpuGroup& group, ReadBuffer& buffer) const;
  static Reading<Percent> throttled_share(CpuGroup& group, ReadBuffer& buffer);
  Reading<Bytes> bytes_used(MemoryGroup& group, Instant now, ReadBuffer& buffer) const;

  std::string root_;
  KeptFile membership_file_;
  std::string membership_;  // the text the groups were found from
  Reading<Instant> looked_at_;
  int cpu_version_ = 0;
  int memory_version_ = 0;
  std::vector<CpuGroup> cpu_;        // own group first
  std::vector<MemoryGroup> memory_;  // own group first
};

}  // namespace gputop::host
