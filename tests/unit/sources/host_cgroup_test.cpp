#include <catch2/catch_test_macros.hpp>

#include "sources/host/cgroup_groups.hpp"
#include "sources/host/cgroup_meter.hpp"
#include "unit/sources/host_fixture.hpp"

using namespace gputop;
using namespace gputop::host;

namespace {

// A meter of a machine, read at seconds.
struct Meter {
  explicit Meter(const Machine& machine) : meter(machine.path("proc"), machine.path("cgroup")) {}
  CgroupReading at(double seconds) { return meter.read(at_seconds(seconds), buffer); }

  CgroupMeter meter;
  ReadBuffer buffer;
};

Machine& unified(Machine& machine, std::string_view path) {
  machine.write("proc/self/cgroup", "0::" + std::string{path} + "\n");
  machine.write("cgroup/cgroup.controllers", "cpu memory\n");
  return machine;
}

}  // namespace

TEST_CASE("cgroup: none at all", "[host]") {
  const Machine machine;
  CHECK(Meter{machine}.at(0) == CgroupReading{});
}

TEST_CASE("cgroup 2: the tightest limit on the way up binds", "[host]") {
  Machine machine;
  unified(machine, "/slice/job");
  machine.write("cgroup/slice/job/cpu.max", "800000 100000\n");
  machine.write("cgroup/slice/cpu.max", "300000 200000\n");
  machine.write("cgroup/slice/job/memory.max", "max\n");
  machine.write("cgroup/slice/job/memory.current", "1000\n");
  machine.write("cgroup/slice/memory.max", "8000\n");
  machine.write("cgroup/slice/memory.current", "5000\n");
  machine.write("cgroup/slice/memory.stat", "anon 1\ninactive_file 500\ntotal_inactive_file 4000\n");
  machine.write("cgroup/slice/job/memory.events", "low 0\nhigh 0\nmax 9\noom 4\noom_kill 2\noom_group_kill 1\n");
  const auto reading = Meter{machine}.at(0);
  CHECK(reading.version == 2);
  CHECK(reading.cpu_limit == 1.5);
  CHECK(reading.memory_limit == Bytes{8000});
  CHECK(reading.memory_used == Bytes{4500});  // of the group with the limit, without the page cache
  CHECK(reading.oom_kills == 2);
  CHECK_FALSE(reading.throttled);
}

TEST_CASE("cgroup 2: no limit is no limit, and the own group's use is still known", "[host]") {
  Machine machine;
  unified(machine, "/job");
  machine.write("cgroup/job/cpu.max", "max 100000\n");
  machine.write("cgroup/job/cpu.stat", "usage_usec 5\nnr_periods 0\nnr_throttled 0\n");
  machine.write("cgroup/job/memory.max", "max\n");
  machine.write("cgroup/job/memory.current", "1000\n");
  Meter meter{machine};
  meter.at(0);
  const auto reading = meter.at(1);
  CHECK_FALSE(reading.cpu_limit);
  CHECK_FALSE(reading.memory_limit);
  CHECK_FALSE(reading.throttled);
  CHECK_FALSE(reading.oom_kills);
  CHECK(reading.memory_used == Bytes{1000});
}

TEST_CASE("cgroup: the share of periods held back since the last reading", "[host]") {
  Machine machine;
  unified(machine, "/job");
  const auto stat = [&](std::uint64_t periods, std::uint64_t throttled) {
    machine.write("cgroup/job/cpu.stat", "usage_usec 5\nnr_periods " + std::to_string(periods) + "\nnr_throttled " +
                                             std::to_string(throttled) + "\nthrottled_usec 7\n");
  };
  machine.write("cgroup/job/cpu.max", "100000 100000\n");
  stat(1000, 900);
  Meter meter{machine};
  CHECK_FALSE(meter.at(0).throttled);
  stat(1010, 904);
  CHECK(meter.at(1).throttled == Percent{40});
  CHECK(meter.at(2).throttled == Percent{0});  // idle
  stat(5, 1);
  CHECK_FALSE(meter.at(3).throttled);
  stat(15, 1);
  CHECK(meter.at(4).throttled == Percent{0});
}

TEST_CASE("cgroup 2: a namespace hides the path; the mount's root is the container's own group", "[host]") {
  Machine machine;
  unified(machine, "/../../other");
  machine.write("cgroup/cpu.max", "200000 100000\n");
  machine.write("cgroup/memory.max", "4096\n");
  machine.write("other/cpu.max", "1 100000\n");  // not for us to see
  const auto reading = Meter{machine}.at(0);
  CHECK(reading.cpu_limit == 2.0);
  CHECK(reading.memory_limit == Bytes{4096});
}

TEST_CASE("cgroup 1: controllers of their own, and the value that means no limit", "[host]") {
  const Machine machine;
  machine.write("proc/self/cgroup", "4:memory:/job\n2:cpuset:/\n1:cpu,cpuacct:/job\n0::/\n");
  machine.write("cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "350000\n");
  machine.write("cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  machine.write("cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 10\nnr_throttled 5\nthrottled_time 1\n");
  machine.write("cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  machine.write("cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  machine.write("cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  machine.write("cgroup/memory/job/memory.usage_in_bytes", "7000\n");
  machine.write("cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 2000\n");
  machine.write("cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 6\n");
  machine.write("cgroup/unified/cgroup.controllers", "");
  Meter meter{machine};
  auto reading = meter.at(0);
  CHECK(reading.version == 1);
  CHECK(reading.cpu_limit == 3.5);
  CHECK_FALSE(reading.memory_limit);
  CHECK(reading.memory_used == Bytes{5000});
  CHECK(reading.oom_kills == 6);
  machine.write("cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 20\nnr_throttled 10\nthrottled_time 1\n");
  machine.write("cgroup/memory/job/memory.limit_in_bytes", "1048576\n");
  reading = meter.at(1);
  CHECK(reading.throttled == Percent{50});
  CHECK(reading.memory_limit == Bytes{1 << 20});
}

TEST_CASE("cgroup 1: a container sees the host's path but only its own mount", "[host]") {
  const Machine machine;
  machine.write("proc/self/cgroup", "4:memory:/docker/0123abcd\n1:cpu:/docker/0123abcd\n");
  machine.write("cgroup/cpu/cpu.cfs_quota_us", "50000\n");
  machine.write("cgroup/cpu/cpu.cfs_period_us", "100000\n");
  machine.write("cgroup/memory/memory.limit_in_bytes", "2048\n");
  const auto reading = Meter{machine}.at(0);
  CHECK(reading.version == 1);
  CHECK(reading.cpu_limit == 0.5);
  CHECK(reading.memory_limit == Bytes{2048});
}

TEST_CASE("cgroup: the hybrid layout takes each controller from where it is", "[host]") {
  const Machine machine;
  machine.write("proc/self/cgroup", "4:memory:/job\n0::/unit\n");
  machine.write("cgroup/memory/job/memory.limit_in_bytes", "2048\n");
  machine.write("cgroup/unified/cgroup.controllers", "cpu\n");
  machine.write("cgroup/unified/unit/cpu.max", "150000 100000\n");
  const auto reading = Meter{machine}.at(0);
  CHECK(reading.version == 1);
  CHECK(reading.memory_limit == Bytes{2048});
  CHECK(reading.cpu_limit == 1.5);
}

TEST_CASE("cgroup: a process that is moved is followed", "[host]") {
  Machine machine;
  unified(machine, "/first");
  machine.write("cgroup/first/memory.max", "1000\n");
  machine.write("cgroup/second/memory.max", "2000\n");
  Meter meter{machine};
  CHECK(meter.at(0).memory_limit == Bytes{1000});
  unified(machine, "/second");
  CHECK(meter.at(60).memory_limit == Bytes{2000});
}

TEST_CASE("cgroup: nonsense in its files is no limit", "[host]") {
  Machine machine;
  unified(machine, "/job");
  machine.write("cgroup/job/cpu.max", "100000 0\n");
  machine.write("cgroup/job/memory.max", "-5\n");
  machine.write("cgroup/job/memory.current", "\n");
  const auto reading = Meter{machine}.at(0);
  CHECK_FALSE(reading.cpu_limit);
  CHECK_FALSE(reading.memory_limit);
  CHECK_FALSE(reading.memory_used);
}
