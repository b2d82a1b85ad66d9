// Traffic of the disks between two readings of /proc/diskstats.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/host.hpp"

namespace gputop::host {

// Whole disks with data of their own that have ever been used: no partitions, no loop, RAM or optical devices, and no
// device-mapper or RAID device whose traffic is already counted on the disks below it.
class DiskMeter {
 public:
  explicit DiskMeter(std::string sys) : sys_(std::move(sys)) {}

  std::vector<DiskReading> read(std::string_view diskstats, Duration elapsed);

 private:
  struct Disk {
    bool wanted = false;
    bool present = false;  // in the text being read
    bool counted = false;  // the counters below are from the last reading
    std::uint64_t sectors_read = 0;
    std::uint64_t sectors_written = 0;
    std::uint64_t busy_ms = 0;
  };
  [[nodiscard]] bool is_wanted(std::string_view name) const;

  std::string sys_;
  std::map<std::string, Disk, std::less<>> disks_;
};

}  // namespace gputop::host
