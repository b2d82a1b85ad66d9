#include <catch2/catch_test_macros.hpp>

#include <chrono>

#include "sources/host/disk_meter.hpp"
#include "sources/host/network_meter.hpp"
#include "unit/sources/host_fixture.hpp"

using namespace gputop;
using namespace gputop::host;
using namespace std::chrono_literals;

namespace {

std::string disk_line(const std::string& name, std::uint64_t read, std::uint64_t written, std::uint64_t busy_ms) {
  return " 8 0 " + name + " 10 0 " + std::to_string(read) + " 7 10 0 " + std::to_string(written) + " 7 0 " +
         std::to_string(busy_ms) + " 9 0 0 0 0 0 0\n";
}

std::vector<std::string> names(const auto& readings) {
  std::vector<std::string> result;
  for (const auto& reading : readings) result.push_back(reading.name);
  return result;
}

std::string interface_line(const std::string& name, std::uint64_t received, std::uint64_t sent) {
  return "  " + name + ": " + std::to_string(received) + " 1 0 0 0 0 0 0 " + std::to_string(sent) + " 1 0 0 0 0 0 0\n";
}

constexpr auto kHeadings =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop\n";

}  // namespace

TEST_CASE("disks: rates in bytes and share of time, unknown at first", "[host]") {
  const Machine machine;
  machine.make_folder("sys/block/sda");
  DiskMeter meter{machine.path("sys")};
  auto disks = meter.read(disk_line("sda", 1000, 2000, 500), 0s);
  REQUIRE(disks.size() == 1);
  CHECK_FALSE(disks[0].read);
  CHECK_FALSE(disks[0].busy);
  disks = meter.read(disk_line("sda", 3000, 2000, 1500), 2s);
  CHECK(disks[0].read == BytesPerSecond{512.0 * 1000});
  CHECK(disks[0].write == BytesPerSecond{0});
  CHECK(disks[0].busy == Percent{50});
}

TEST_CASE("disks: busy never exceeds all of the time, and backwards is unknown", "[host]") {
  const Machine machine;
  machine.make_folder("sys/block/sda");
  DiskMeter meter{machine.path("sys")};
  meter.read(disk_line("sda", 1000, 1000, 500), 0s);
  CHECK(meter.read(disk_line("sda", 1000, 1000, 1504), 1s)[0].busy == Percent{100});
  const auto disks = meter.read(disk_line("sda", 10, 2000, 3), 1s);
  CHECK_FALSE(disks[0].read);
  CHECK(disks[0].write == BytesPerSecond{512.0 * 1000});
  CHECK_FALSE(disks[0].busy);
}

TEST_CASE("disks: no time passed, no rate", "[host]") {
  const Machine machine;
  machine.make_folder("sys/block/sda");
  DiskMeter meter{machine.path("sys")};
  meter.read(disk_line("sda", 1000, 1000, 500), 0s);
  const auto disks = meter.read(disk_line("sda", 2000, 1000, 600), 0s);
  CHECK_FALSE(disks[0].read);
  CHECK_FALSE(disks[0].busy);
}

TEST_CASE("disks: only whole disks whose traffic is not counted elsewhere", "[host]") {
  const Machine machine;
  for (const auto* name : {"sda", "nvme0n1", "dm-0", "dm-1", "md0", "loop0", "zram0", "sr0", "cciss!c0d0", "ram0"}) {
    machine.make_folder(std::string{"sys/block/"} + name + "/slaves");
  }
  machine.make_folder("sys/block/dm-0/slaves/nvme0n1p2");
  machine.make_folder("sys/block/md0/slaves/sda1");
  DiskMeter meter{machine.path("sys")};
  std::string text;
  for (const auto* name :
       {"sda", "sda1", "nvme0n1", "nvme0n1p2", "dm-0", "dm-1", "md0", "loop0", "zram0", "sr0", "cciss/c0d0", "ram0"}) {
    text += disk_line(name, 1, 1, 1);
  }
  CHECK(names(meter.read(text, 0s)) == std::vector<std::string>{"sda", "nvme0n1", "dm-1", "cciss/c0d0"});
}

TEST_CASE("disks: by name alone where there is no /sys", "[host]") {
  const Machine machine;
  DiskMeter meter{machine.path("sys")};
  std::string text;
  for (const auto* name : {"sda", "sda1", "sdb12", "nvme0n1", "nvme0n1p2", "mmcblk0", "mmcblk0p1", "xvda", "xvda1",
                           "dm-0", "md127", "loop3"}) {
    text += disk_line(name, 1, 1, 1);
  }
  CHECK(names(meter.read(text, 0s)) == std::vector<std::string>{"sda", "nvme0n1", "mmcblk0", "xvda"});
}

TEST_CASE("disks: one that was never used is not shown; one that is pulled out leaves nothing behind", "[host]") {
  const Machine machine;
  machine.make_folder("sys/block/nbd0");
  machine.make_folder("sys/block/sdb");
  DiskMeter meter{machine.path("sys")};
  const std::string unused = " 43 0 nbd0 0 0 0 0 0 0 0 0 0 0 0\n";
  CHECK(names(meter.read(unused + disk_line("sdb", 5, 5, 5), 0s)) == std::vector<std::string>{"sdb"});
  CHECK(meter.read(unused, 1s).empty());
  const auto back = meter.read(disk_line("sdb", 5000, 5000, 5000), 1s);
  REQUIRE(back.size() == 1);
  CHECK_FALSE(back[0].read);
}

TEST_CASE("networks: rates of the interfaces with a device, never the loopback", "[host]") {
  const Machine machine;
  machine.make_folder("sys/class/net/eth0/device");
  machine.make_folder("sys/class/net/docker0");
  machine.make_folder("sys/class/net/lo");
  NetworkMeter meter{machine.path("sys")};
  const auto text = [&](std::uint64_t received, std::uint64_t sent) {
    return kHeadings + interface_line("lo", 9, 9) + interface_line("eth0", received, sent) +
           interface_line("docker0", received, sent);
  };
  auto networks = meter.read(text(1000, 5000), 0s);
  CHECK(names(networks) == std::vector<std::string>{"eth0"});
  CHECK_FALSE(networks[0].receive);
  networks = meter.read(text(3000, 4000), 2s);
  CHECK(networks[0].receive == BytesPerSecond{1000});
  CHECK_FALSE(networks[0].transmit);
}

TEST_CASE("networks: virtual ones are shown when there is nothing else and they carried something", "[host]") {
  const Machine machine;
  machine.make_folder("sys/class/net/eth0");
  machine.make_folder("sys/class/net/ifb0");
  NetworkMeter meter{machine.path("sys")};
  const auto networks = meter.read(kHeadings + interface_line("eth0", 5, 0) + interface_line("ifb0", 0, 0), 0s);
  CHECK(names(networks) == std::vector<std::string>{"eth0"});
}

TEST_CASE("networks: an old kernel's line, and no /sys", "[host]") {
  const Machine machine;
  NetworkMeter meter{machine.path("sys")};
  const std::string text = "  eth0:12345678 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n" + interface_line("veth12ab", 7, 7);
  meter.read(text, 0s);
  const auto networks = meter.read("  eth0:12345679 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n", 1s);
  REQUIRE(names(networks) == std::vector<std::string>{"eth0"});
  CHECK(networks[0].receive == BytesPerSecond{1});
}
