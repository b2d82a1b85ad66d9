#include "gputop/app/model.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>

#include "unit/app/model_events.hpp"

using namespace gputop;
using namespace gputop::literals;
using namespace std::chrono_literals;
using Catch::Approx;

TEST_CASE("model: time is that of the latest event, and every event is a revision", "[app]") {
  Model model;
  feed(model, 5, Noted{});
  feed(model, 3, Noted{});  // another thread's event, a little late
  CHECK(model.now == at_seconds(5));
  CHECK(model.revision == 2);
}

TEST_CASE("model: civil time follows the stream's start and its adjustments", "[app]") {
  Model model;
  StreamStarted started;
  started.wall = WallTime{1000s};
  started.hostname = "box";
  feed(model, 0, started);
  CHECK(model.stream.hostname == "box");
  CHECK(model.wall(at_seconds(2.5)) == WallTime{1002s + 500ms});
  feed(model, 3, ClockAdjusted{WallTime{5000s}});
  CHECK(model.wall(at_seconds(1)) == WallTime{5001s});
}

TEST_CASE("model: the host's readings, and its series without the unknown", "[app]") {
  Model model;
  CHECK_FALSE(model.host_known);
  HostReading host;
  host.cpu_count = 8;
  feed(model, 0, HostSampled{host});
  CHECK(model.host_known);
  CHECK(model.host.cpu_count == 8);
  CHECK(model.host_cpu.empty());
  CHECK(model.host_memory.empty());
  host.cpu = 40_percent;
  host.memory_used = 3_GiB;
  host.memory_total = 4_GiB;
  feed(model, 1, HostSampled{host});
  CHECK(all_of(model.host_cpu)->mean() == 40);
  CHECK(all_of(model.host_memory)->mean() == 75);
  host.memory_total = 0_B;
  feed(model, 2, HostSampled{host});
  CHECK(all_of(model.host_memory)->count == 1);
}

TEST_CASE("model: why there are no GPUs, said once in the log", "[app]") {
  Model model;
  feed(model, 0, gpus({gpu(0)}));
  feed(model, 1, unavailable("nvml", "driver not loaded"));
  CHECK(model.gpus.empty());
  CHECK(model.gpu_source.message == "driver not loaded");
  feed(model, 2, unavailable("nvml", "driver not loaded"));
  REQUIRE(model.log.size() == 1);
  CHECK(model.log[0].text == "driver not loaded");
  CHECK(model.log[0].severity == Noted::Severity::kWarning);
  feed(model, 3, unavailable("nvml", "no permission"));
  CHECK(model.log.size() == 2);
}

TEST_CASE("model: a host that cannot be read is logged and says nothing about the GPUs", "[app]") {
  Model model;
  feed(model, 0, gpus({gpu(0)}));
  feed(model, 1, unavailable("host", "no /proc"));
  CHECK(model.gpus.size() == 1);
  CHECK(model.gpu_source == SourceStatus{});
  REQUIRE(model.log.size() == 1);
  CHECK(model.log[0].text == "no /proc");
}

TEST_CASE("model: what was ever simulated stays marked so", "[app]") {
  Model model;
  SourceStatus status;
  status.source = "sim:healthy";
  status.simulated = true;
  feed(model, 0, status);
  CHECK(model.simulated);
  feed(model, 1, unavailable("nvml", "gone"));
  CHECK(model.simulated);
}

TEST_CASE("model: the log is bounded and keeps the newest", "[app]") {
  Model model;
  for (int i = 0; i < 1200; ++i) feed(model, i, Noted{Noted::Severity::kInfo, std::to_string(i)});
  CHECK(model.log.size() == Model::kLogLines);
  CHECK(model.log.back().text == "1199");
  CHECK(model.log.back().at == at_seconds(1199));
  CHECK(model.log.front().text == std::to_string(1200 - Model::kLogLines));
}

TEST_CASE("model: gaps in the recording are said with their length", "[app]") {
  Model model;
  feed(model, 100, RecordingGap{at_seconds(10), at_seconds(75), "the disk was full"});
  CHECK(model.log.at(0).text == "nothing recorded for 00:01:05: the disk was full");
}

TEST_CASE("model: the end and its reason", "[app]") {
  Model model;
  CHECK_FALSE(model.ended);
  feed(model, 9, StreamEnded{"asked to"});
  CHECK(model.ended);
  CHECK(model.end_reason == "asked to");
}

TEST_CASE("model: the same events give the same Model", "[app]") {
  const auto run = [] {
    Model model;
    for (int i = 0; i < 50; ++i) {
      auto one = gpu(0, "a", i);
      one.processes = std::vector<GpuProcess>{on_gpu(100 - i % 7), on_gpu(5)};
      feed(model, i, gpus({one}));
      feed(model, i, ProcessesSampled{{process(5), process(90 + i % 10)}});
    }
    return model;
  };
  const auto a = run();
  const auto b = run();
  CHECK(a.revision == b.revision);
  REQUIRE(a.processes.size() == b.processes.size());
  for (std::size_t i = 0; i < a.processes.size(); ++i) {
    CHECK(a.processes[i].pid == b.processes[i].pid);
    CHECK(a.processes[i].host == b.processes[i].host);
  }
  CHECK(all_of(a.gpus[0].series.utilization)->sum == all_of(b.gpus[0].series.utilization)->sum);
}
