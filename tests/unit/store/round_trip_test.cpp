#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

using namespace gputop;
using namespace gputop::testing;

TEST_CASE("a recording gives back every kind of event, unknown readings as unknown", "[store]") {
  const auto read = read_bytes_as_recording(recording_of(every_kind()));
  REQUIRE(read.opened);
  const auto expected = every_kind();
  REQUIRE(read.events.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(read.events[i] == expected[i]);
  }
  CHECK(read.problems.empty());
}

TEST_CASE("recording what was read gives the same text, whatever the values were", "[store]") {
  auto events = every_kind();
  GpuReading odd = full_gpu(0);
  odd.utilization = Percent{33.333};
  odd.power = Watts{211.98765};
  odd.pcie_rx = BytesPerSecond{999999};
  odd.pcie_tx = BytesPerSecond{0.0123456};
  odd.temperature = Celsius{-0.2};
  odd.energy = Joules{1e300};
  odd.fan = Percent{std::numeric_limits<double>::quiet_NaN()};
  odd.sm_clock = Megahertz{std::numeric_limits<double>::infinity()};
  for (int second = 11; second < 1400; ++second) {
    odd.memory_used = Bytes{static_cast<std::uint64_t>(second) * 1234567};
    *odd.pcie_rx = *odd.pcie_rx * 1.01;
    odd.power = *odd.power + Watts{0.0371};
    const Instant at = at_seconds(second + 0.0004567 * (second % 7));
    events.push_back({at, GpusSampled{{odd, full_gpu(1)}}});
    HostReading host = full_host();
    host.cores.assign(8, Percent{second % 101 * 0.99});
    host.memory_used = Bytes{20123456789ULL + static_cast<std::uint64_t>(second) * 98765432};
    events.push_back({at, HostSampled{host}});
  }
  const auto first = recording_of(events);
  const auto read = read_bytes_as_recording(first);
  REQUIRE(read.events.size() == events.size());
  CHECK(text_of(recording_of(read.events, 17)) == text_of(first));
}

TEST_CASE("a number that is not finite is recorded as unknown", "[store]") {
  GpuReading gpu;
  gpu.power = Watts{std::numeric_limits<double>::quiet_NaN()};
  const auto read = read_bytes_as_recording(recording_of({{at_seconds(0), GpusSampled{{gpu}}}}));
  REQUIRE(read.events.size() == 1);
  CHECK_FALSE(std::get<GpusSampled>(read.events[0].payload).gpus.at(0).power.has_value());
}

TEST_CASE("64 GPUs with hundreds of processes come back whole, also when they come and go", "[store]") {
  std::vector<Event> events;
  for (int second = 0; second < 40; ++second) {
    GpusSampled gpus;
    ProcessesSampled processes;
    for (unsigned i = 0; i < 64U - static_cast<unsigned>(second % 3); ++i) {
      gpus.gpus.push_back(full_gpu(i));
      gpus.gpus.back().processes->resize(i % 3);
      if (i % 5 == static_cast<unsigned>(second) % 5) gpus.gpus.back().processes.reset();
    }
    for (int i = 0; i < 300 - second; ++i) processes.processes.push_back(full_process(4000 + i + second / 10));
    events.push_back({at_seconds(second), gpus});
    events.push_back({at_seconds(second), processes});
  }
  CHECK(read_bytes_as_recording(recording_of(events)).events == events);
}

TEST_CASE("a reading that changes all the time stands still for its hold, and is exact again when a frame begins",
          "[store]") {
  std::vector<Event> events;
  for (int second = 0; second <= 600; ++second) {
    GpuReading gpu;
    gpu.pcie_rx = BytesPerSecond{1000.0 + second};
    gpu.utilization = Percent{static_cast<double>(second % 100)};
    events.push_back({at_seconds(second), GpusSampled{{gpu}}});
  }
  const auto read = read_bytes_as_recording(recording_of(events));
  REQUIRE(read.events.size() == events.size());
  const auto gpu_at = [&](std::size_t second) { return std::get<GpusSampled>(read.events[second].payload).gpus.at(0); };
  CHECK(gpu_at(50).utilization == Percent{50});
  CHECK(gpu_at(51).utilization == Percent{51});
  CHECK(gpu_at(500).pcie_rx == BytesPerSecond{1500});
  CHECK(gpu_at(501).pcie_rx == BytesPerSecond{1500});
  CHECK(gpu_at(600).pcie_rx == BytesPerSecond{1600});
}

TEST_CASE("every line is JSON, the first names the schema, and nothing is written twice", "[store]") {
  std::istringstream lines{text_of(recording_of(every_kind()))};
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(nlohmann::json::parse(line).at("schema") == "gputop.recording/1");
  while (std::getline(lines, line)) CHECK(nlohmann::json::accept(line));

  const Event sample{at_seconds(1), GpusSampled{{full_gpu(0)}}};
  Event later = sample;
  later.at = at_seconds(2);
  CHECK(text_of(recording_of({sample, later})).find("\n{\"t\":2000,\"gpus\":{}}\n") != std::string::npos);
}

TEST_CASE("an endless command line is cut, at a whole character", "[store]") {
  ProcessReading process;
  for (int i = 0; i < 5000; ++i) process.command += "日";
  const auto read = read_bytes_as_recording(recording_of({{at_seconds(0), ProcessesSampled{{process}}}}));
  REQUIRE(read.events.size() == 1);
  const auto& command = std::get<ProcessesSampled>(read.events[0].payload).processes.at(0).command;
  CHECK(command.size() <= 4096);
  CHECK(command.ends_with("日…"));
}

TEST_CASE("text that is no UTF-8 becomes UTF-8", "[store]") {
  GpuReading gpu;
  gpu.name = "bad \xFF\xC0 name";
  const auto read = read_bytes_as_recording(
      recording_of({{at_seconds(0), GpusSampled{{gpu}}}, {at_seconds(0), Noted{Noted::Severity::kInfo, "\xE2\x82"}}}));
  REQUIRE(read.events.size() == 2);
  CHECK(std::get<GpusSampled>(read.events[0].payload).gpus.at(0).name == "bad \xEF\xBF\xBD\xEF\xBF\xBD name");
  CHECK(std::get<Noted>(read.events[1].payload).text == "\xEF\xBF\xBD");
}

TEST_CASE("secrets on a command line are not in the file", "[store]") {
  ProcessReading process;
  process.command = "python train.py --hf-token hunter2-abc --epochs 3";
  const auto text = text_of(recording_of({{at_seconds(0), ProcessesSampled{{process}}}}));
  CHECK(text.find("hunter2") == std::string::npos);
  CHECK(text.find("python train.py --hf-token *** --epochs 3") != std::string::npos);
}
