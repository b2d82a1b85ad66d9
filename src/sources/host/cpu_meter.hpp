// How busy the CPUs were between two readings of /proc/stat.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gputop/core/host.hpp"

namespace gputop::host {

class CpuMeter {
 public:
  // Fills cpu_count, cpu, io_wait and cores from the text of /proc/stat. A core that is offline, or was at the last
  // reading, is unknown. Cores keep their number, so the vector extends to the highest online core.
  void read(std::string_view stat, HostReading& host);

  // Wall-clock time of the boot in whole seconds, as the kernel computes it now.
  [[nodiscard]] Reading<std::uint64_t> boot_seconds() const { return boot_seconds_; }

 private:
  // In ticks. Time stolen by the hypervisor counts as busy because it was requested. User time already includes guests.
  struct Times {
    std::uint64_t busy = 0;
    std::uint64_t idle = 0;
    std::uint64_t io_wait = 0;
  };
  struct Shares {
    Reading<Percent> busy;
    Reading<Percent> io_wait;
  };
  static Reading<Times> parse(std::string_view fields);
  static Shares shares(const Reading<Times>& before, const Reading<Times>& after);

  Reading<Times> all_;
  std::vector<Reading<Times>> cores_;
  Reading<std::uint64_t> boot_seconds_;
};

}  // namespace gputop::host
