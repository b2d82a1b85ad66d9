#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "sources/host/affinity.hpp"
#include "unit/sources/host_fixture.hpp"

using namespace gputop;
using namespace gputop::host;

TEST_CASE("host: says that it is there, then answers each tick with the host and the processes", "[host]") {
  const Machine machine;
  Ticked ticked{machine.options()};
  REQUIRE(ticked.events().size() == 1);
  const auto& status = std::get<SourceStatus>(ticked.events().front().payload);
  CHECK(status.source == "host");
  CHECK(status.state == SourceStatus::State::kOk);

  ticked.tick(2.5);
  REQUIRE(ticked.events().size() == 3);
  CHECK(std::holds_alternative<HostSampled>(ticked.events()[1].payload));
  CHECK(std::holds_alternative<ProcessesSampled>(ticked.events()[2].payload));
  CHECK(ticked.events()[1].at == at_seconds(2.5));
  CHECK(ticked.events()[2].at == at_seconds(2.5));

  ticked.source().stop();
  ticked.tick(3.5);
  CHECK(ticked.events().size() == 3);
}

TEST_CASE("host: without /proc it is unavailable and every reading is unknown", "[host]") {
  const Machine machine;
  auto options = machine.options();
  options.proc = machine.path("nowhere");
  options.affinity = [] { return Reading<unsigned>{}; };
  Ticked ticked{options};
  const auto& status = std::get<SourceStatus>(ticked.events().front().payload);
  CHECK(status.state == SourceStatus::State::kUnavailable);
  CHECK(status.message.find("nowhere/stat") != std::string::npos);

  const auto host = ticked.host_at(1);
  CHECK(host == HostReading{});
}

TEST_CASE("host: an empty machine leaves everything unknown, never zero", "[host]") {
  const Machine machine;
  auto options = machine.options();
  options.affinity = [] { return Reading<unsigned>{}; };
  Ticked ticked{options};
  const auto host = ticked.host_at(1);
  CHECK_FALSE(host.cpu);
  CHECK_FALSE(host.usable_cpus);
  CHECK_FALSE(host.load1);
  CHECK_FALSE(host.memory_used);
  CHECK_FALSE(host.swap_used);
  CHECK_FALSE(host.shm_total);
  CHECK_FALSE(host.oom_kills);
  CHECK_FALSE(host.cpu_pressure.some);
  CHECK_FALSE(host.cgroup.memory_limit);
  CHECK(host.cgroup.version == 0);
  CHECK(host.disks.empty());
  CHECK(host.networks.empty());
}

TEST_CASE("host: load, pressure, memory, hostname and OOM kills as the kernel writes them", "[host]") {
  const Machine machine;
  machine.write("proc/loadavg", "0.51 12.20 0.11 1/98 6748\n");
  machine.write("proc/sys/kernel/hostname", "gpu\x1b[2Jbox\n");
  machine.write("proc/pressure/cpu", "some avg10=3.19 avg60=1.81 avg300=0.88 total=9845369\n");
  machine.write("proc/pressure/memory",
                "some avg10=1.50 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.25 avg60=0.00 avg300=0.00 total=0\n");
  machine.write("proc/meminfo",
                "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\nSwapCached:        9 kB\n"
                "SwapTotal:       500 kB\nSwapFree:        450 kB\n");
  machine.write("proc/vmstat", "nr_free_pages 1\noom_kill 3\noom_kill_other 9\n");
  Ticked ticked{machine.options()};
  const auto host = ticked.host_at(0);
  CHECK(host.hostname == "gpu·[2Jbox");
  CHECK(host.load1 == 0.51);
  CHECK(host.load5 == 12.2);
  CHECK(host.load15 == 0.11);
  CHECK(host.cpu_pressure.some == Percent{3.19});
  CHECK_FALSE(host.cpu_pressure.full);
  CHECK(host.memory_pressure.full == Percent{0.25});
  CHECK_FALSE(host.io_pressure.some);
  CHECK(host.memory_total == Bytes{1000 * 1024});
  CHECK(host.memory_used == Bytes{400 * 1024});
  CHECK(host.swap_used == Bytes{50 * 1024});
  CHECK(host.oom_kills == 3);
}

TEST_CASE("host: a kernel that does not say what is available", "[host]") {
  const Machine machine;
  machine.write(
      "proc/meminfo",
      "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 200 kB\nShmem: 30 kB\nSReclaimable: 10 kB\n");
  Ticked ticked{machine.options()};
  CHECK(ticked.host_at(0).memory_used == Bytes{(1000 - (100 + 50 + 200 + 10 - 30)) * 1024});
}

TEST_CASE("host: a tick too soon after another repeats its rates", "[host]") {
  const Machine machine;
  machine.write("proc/stat", "cpu  100 0 0 100 0 0 0 0\ncpu0 100 0 0 100 0 0 0 0\n");
  Ticked ticked{machine.options()};
  CHECK_FALSE(ticked.host_at(0).cpu);
  machine.write("proc/stat", "cpu  150 0 0 150 0 0 0 0\ncpu0 150 0 0 150 0 0 0 0\n");
  CHECK_FALSE(ticked.host_at(0).cpu);
  CHECK(ticked.host_at(1).cpu == Percent{50});
  machine.write("proc/stat", "cpu  151 0 0 150 0 0 0 0\ncpu0 151 0 0 150 0 0 0 0\n");
  CHECK(ticked.host_at(1).cpu == Percent{50});
  CHECK(ticked.host_at(1.001).cpu == Percent{50});
}

TEST_CASE("host: usable CPUs are what affinity and quota both allow", "[host]") {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/job\n");
  machine.write("cgroup/cgroup.controllers", "cpu memory\n");
  machine.write("cgroup/job/cpu.max", "250000 100000\n");
  auto options = machine.options();

  SECTION("the quota is tighter") {
    CHECK(Ticked{options}.host_at(0).usable_cpus == 2.5);
  }
  SECTION("the affinity is tighter") {
    options.affinity = [] { return Reading<unsigned>{2}; };
    CHECK(Ticked{options}.host_at(0).usable_cpus == 2.0);
  }
  SECTION("the affinity is unknown") {
    options.affinity = [] { return Reading<unsigned>{}; };
    CHECK(Ticked{options}.host_at(0).usable_cpus == 2.5);
  }
  SECTION("there is no quota") {
    machine.write("cgroup/job/cpu.max", "max 100000\n");
    CHECK(Ticked{options}.host_at(0).usable_cpus == 8.0);
  }
}

TEST_CASE("host: shared memory is what its file system says", "[host]") {
  const Machine machine;
  machine.make_folder("shm");
  const auto host = Ticked{machine.options()}.host_at(0);
  const auto space = std::filesystem::space(machine.path("shm"));
  REQUIRE(host.shm_total);
  REQUIRE(host.shm_used);
  CHECK(host.shm_total->value() == space.capacity);
  CHECK(*host.shm_used <= *host.shm_total);
}

TEST_CASE("host: the machine this test runs on", "[host]") {
  Ticked ticked{HostOptions{}};
  const auto self = static_cast<std::int64_t>(getpid());
  ticked.source().watch({self}, {});
  const auto host = ticked.host_at(0);
  CHECK(host.cpu_count > 0);
  CHECK(host.cores.size() >= host.cpu_count);
  CHECK(host.memory_total > host.memory_used);
  CHECK(host.usable_cpus > 0.0);
  CHECK(host.usable_cpus <= static_cast<double>(*cpus_in_affinity()));
  const auto processes = ticked.processes_at(0);
  REQUIRE(processes.size() == 1);
  CHECK(processes[0].pid == self);
  CHECK(processes[0].parent == getppid());
  CHECK(processes[0].uid == getuid());
  CHECK(processes[0].command.starts_with(program_invocation_name));
  CHECK(processes[0].resident > Bytes{1 << 20});
  CHECK(processes[0].started > WallTime{});
  CHECK_FALSE(processes[0].cpu);
}
