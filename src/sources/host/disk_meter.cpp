#include "sources/host/disk_meter.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "sources/host/kernel_file.hpp"
#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

constexpr std::uint64_t kSectorBytes = 512;  // always, in diskstats, whatever the disk's own sector size

// For machines without /sys: sda1 is a partition of sda, nvme0n1p2 of nvme0n1.
bool is_partition_by_name(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == name.size()) return false;
  if (name[last] == 'p') return last > 0 && is_digit(name[last - 1]);
  static constexpr std::array<std::string_view, 4> kLettered{"sd", "hd", "vd", "xvd"};
  return std::any_of(kLettered.begin(), kLettered.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool DiskMeter::is_wanted(std::string_view name) const {
  static constexpr std::array<std::string_view, 5> kNotDisks{"loop", "ram", "zram", "sr", "fd"};
  for (const auto prefix : kNotDisks) {
    if (name.starts_with(prefix) && name.size() > prefix.size() && is_digit(name[prefix.size()])) return false;
  }
  if (!exists(sys_ + "/block"))
    return !is_partition_by_name(name) && !name.starts_with("dm-") && !name.starts_with("md");
  std::string folder = sys_ + "/block/";
  for (const char c : name) folder += c == '/' ? '!' : c;  // cciss/c0d0
  return exists(folder) && !has_entries(folder + "/slaves");
}

std::vector<DiskReading> DiskMeter::read(std::string_view diskstats, Duration elapsed) {
  std::vector<DiskReading> readings;
  for (auto& [name, disk] : disks_) disk.present = false;
  TextScan lines{diskstats};
  while (!lines.done()) {
    TextScan line{lines.line()};
    line.skip_words(2);  // major, minor
    const auto name = line.word();
    if (name.empty()) continue;
    auto found = disks_.find(name);
    if (found == disks_.end()) found = disks_.emplace(name, Disk{.wanted = is_wanted(name)}).first;
    auto& disk = found->second;
    disk.present = true;
    if (!disk.wanted) continue;
    const auto reads = line.number();
    line.skip_words(1);
    const auto sectors_read = line.number();
    line.skip_words(1);
    const auto writes = line.number();
    line.skip_words(1);
    const auto sectors_written = line.number();
    line.skip_words(2);
    const auto busy_ms = line.number();
    if (!sectors_read || !sectors_written || !busy_ms || reads.value_or(0) + writes.value_or(0) == 0) continue;
    DiskReading reading{.name = printable(name), .read = {}, .write = {}, .busy = {}};
    if (disk.counted) {
      const auto bytes_per_second = [&](std::uint64_t before, std::uint64_t after) {
        return rate<BytesPerSecond>(before * kSectorBytes, after * kSectorBytes, elapsed);
      };
      reading.read = bytes_per_second(disk.sectors_read, *sectors_read);
      reading.write = bytes_per_second(disk.sectors_written, *sectors_written);
      // The kernel rounds the time up to its own ticks.
      if (const auto ms = per_second(disk.busy_ms, *busy_ms, elapsed))
        reading.busy = Percent{std::min(100.0, *ms / 10.0)};
    }
    disk.counted = true;
    disk.sectors_read = *sectors_read;
    disk.sectors_written = *sectors_written;
    disk.busy_ms = *busy_ms;
    readings.push_back(std::move(reading));
  }
  std::erase_if(disks_, [](const auto& entry) { return !entry.second.present; });
  return readings;
}

}  // namespace gputop::host
