// Model → Facts: the windowed figures of GPUs and host.
#include "gputop/app/gather_facts.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "model_events.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;

namespace {

GpuReading at_work(double utilization, double watts = 200) {
  auto reading = gpu(0, "GPU-0", utilization);
  reading.memory_used = 6_GiB;
  reading.memory_total = 24_GiB;
  reading.power = Watts{watts};
  reading.power_limit = 350_W;
  reading.temperature = 70_celsius;
  reading.sm_clock = 1500_MHz;
  reading.max_sm_clock = 2000_MHz;
  reading.throttle = ThrottleReasons{0};
  return reading;
}

}  // namespace

TEST_CASE("facts: means, extremes and shares over the window", "[app]") {
  Model model;
  for (int i = 0; i < 100; ++i) {
    auto reading = at_work(i % 2 == 0 ? 0 : 80, 210);
    if (i % 4 == 0) reading.throttle = ThrottleReasons{0x4};
    if (i == 50) reading.temperature = 88_celsius;
    feed(model, i, gpus({reading}));
  }
  const auto facts = gather_facts(model);
  REQUIRE(facts.gpus.size() == 1);
  const auto& seen = facts.gpus[0];
  CHECK(seen.utilization->value() == Approx(40));
  CHECK(seen.utilization_min == 0_percent);
  CHECK(seen.utilization_max == 80_percent);
  CHECK(seen.utilization_p95 == 80_percent);
  CHECK(seen.idle_share == Approx(0.5));
  CHECK(seen.power_share == Approx(0.6));
  CHECK(seen.temperature == 88_celsius);
  CHECK(seen.clock_share == Approx(0.75));
  CHECK(seen.power_cap_share == Approx(0.25));
  CHECK(seen.thermal_share == Approx(0));
  CHECK(seen.memory_peak == 6_GiB);
  CHECK(facts.steady);
  CHECK(facts.depth == Depth::kGpuOnly);
}

TEST_CASE("facts: what lies before the window does not count, unless all is asked for", "[app]") {
  Model model;
  for (int i = 0; i < 300; ++i) feed(model, i, gpus({at_work(i < 170 ? 0 : 90)}));
  CHECK(gather_facts(model).gpus[0].utilization->value() == Approx(90));
  CHECK(gpu_facts(model, kWholeWindow)[0].utilization->value() == Approx(39));
}

TEST_CASE("facts: what was never read is unknown", "[app]") {
  Model model;
  GpuReading mystery;
  feed(model, 0, gpus({mystery}));
  feed(model, 1, gpus({mystery}));
  const auto seen = gather_facts(model).gpus.at(0);
  CHECK_FALSE(seen.utilization);
  CHECK_FALSE(seen.memory_peak);
  CHECK_FALSE(seen.clock_share);
  CHECK_FALSE(seen.thermal_share);
  CHECK_FALSE(seen.memory_slope);
  CHECK_FALSE(gather_facts(model).host.cpu);
  CHECK_FALSE(gather_facts(model).steady);
}

TEST_CASE("facts: memory that grows all the time has a slope, a jump has none to speak of", "[app]") {
  Model growing;
  Model jumping;
  for (int i = 0; i < 200; ++i) {
    auto reading = at_work(90);
    reading.memory_used = Bytes{(4_GiB).value() + static_cast<std::uint64_t>(i) * (10_MiB).value()};
    feed(growing, i, gpus({reading}));
    reading.memory_used = i < 100 ? 4_GiB : 8_GiB;
    feed(jumping, i, gpus({reading}));
  }
  CHECK(gather_facts(growing).gpus[0].memory_slope == Approx(10.0 * (1 << 20)));
  CHECK(gather_facts(jumping).gpus[0].memory_slope == Approx(0).margin(1));
}

TEST_CASE("facts: processes of the run are told from neighbours, and from those nobody can place", "[app]") {
  Model model;
  feed(model, 0, RunStarted{"r", "train", {"python"}, "/", 100, true});
  auto own = process(101);
  own.root = 100;
  auto other = process(200);
  other.root = 200;
  auto reading = at_work(90);
  reading.processes = {on_gpu(101, 4_GiB), on_gpu(200, 2_GiB), on_gpu(999, 1_GiB)};
  feed(model, 1, gpus({reading}));
  feed(model, 1, ProcessesSampled{{own, other}});
  const auto facts = gather_facts(model);
  CHECK(facts.has_run);
  CHECK(facts.gpus[0].used_by_run);
  CHECK(facts.gpus[0].run_memory == 4_GiB);
  CHECK(facts.gpus[0].neighbour_memory == 2_GiB);
  CHECK(facts.gpus[0].neighbour_utilization == 30_percent);
}

TEST_CASE("facts: a power spike on a board without a known limit is a sensor error and in no mean", "[app]") {
  Model model;
  for (int i = 0; i < 40; ++i) {
    auto reading = at_work(12, i == 20 ? 590 : 27);
    reading.power_limit.reset();
    feed(model, i, gpus({reading}));
  }
  const auto seen = gather_facts(model).gpus.at(0);
  CHECK(seen.power->value() == Approx(27));
  CHECK(seen.sensor_errors == 1);
  CHECK(seen.sensor_error.find("590 W") != std::string::npos);
}

TEST_CASE("facts: the host's figures, and the container's where it is the smaller one", "[app]") {
  Model model;
  HostReading host;
  host.cpu_count = 16;
  host.usable_cpus = 6.0;
  host.memory_total = 64_GiB;
  host.memory_used = 40_GiB;
  host.disks = {{"sda", BytesPerSecond{1e6}, {}, 30_percent}, {"nvme", BytesPerSecond{2e6}, {}, 90_percent}};
  for (int i = 0; i < 10; ++i) {
    host.cpu = Percent{i < 5 ? 20.0 : 40.0};
    feed(model, i, HostSampled{host});
  }
  auto facts = gather_facts(model).host;
  CHECK(facts.usable_cores == 6.0);
  CHECK(facts.cpu->value() == Approx(30));
  CHECK(facts.disk_busy == 90_percent);
  CHECK(facts.disk_read == BytesPerSecond{3e6});
  CHECK(facts.memory_total == 64_GiB);
  host.cgroup.memory_limit = 8_GiB;
  host.cgroup.memory_used = 7_GiB;
  feed(model, 11, HostSampled{host});
  facts = gather_facts(model).host;
  CHECK(facts.memory_total == 8_GiB);
  CHECK(facts.memory_used == 7_GiB);
}

TEST_CASE("facts: how the run ended, as far as its exit tells", "[app]") {
  Model model;
  feed(model, 0, RunStarted{"r", "train", {"python"}, "/", 100, true});
  feed(model, 10, OutputWritten{0, 0, "hello"});
  feed(model, 40, gpus({at_work(90)}));
  CHECK(gather_facts(model).end.kind == EndKind::kRunning);
  CHECK(gather_facts(model).silent_for == std::chrono::seconds{30});
  feed(model, 41, RunEnded{137, 9, "killed by SIGKILL"});
  CHECK(gather_facts(model).end.kind == EndKind::kKilled);
  CHECK(gather_facts(model).age == std::chrono::seconds{41});
}
