// Who skims gets the same summary with less: nothing that he gets may differ from what he would get by reading it all.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

namespace gputop {
namespace {

using namespace testing;

constexpr int kSeconds = 3000;  // several frames

std::vector<Event> long_stream() {
  std::vector<Event> events;
  std::uint64_t printed = 0;
  for (int i = 0; i < kSeconds; ++i) {
    const auto at = at_seconds(i);
    auto gpu = full_gpu(0);
    gpu.utilization = Percent{static_cast<double>(i % 101)};
    gpu.sm_clock = Megahertz{static_cast<double>(1000 + i % 7)};
    events.push_back({at, GpusSampled{{gpu}}});
    events.push_back({at, HostSampled{full_host()}});
    LensTick tick;
    tick.steps = static_cast<std::uint64_t>(i);
    events.push_back({at, LensReported{42, tick}});
    const std::string text = i % 100 == 50 ? "RuntimeError: CUDA out of memory\n" : "\"step\"\t\\\n";
    events.push_back({at, OutputWritten{0, printed, text}});
    printed += text.size();
  }
  return events;
}

struct Read {
  std::vector<Event> gpus;
  std::size_t hosts = 0;
  std::vector<Event> ticks;
  std::vector<Event> output;
};

Read read_until(const std::string& path, Instant skimmed) {
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  reader->skim_before(skimmed);
  Read read;
  while (const auto* event = reader->next()) {
    if (std::holds_alternative<GpusSampled>(event->payload)) read.gpus.push_back(*event);
    if (std::holds_alternative<HostSampled>(event->payload)) ++read.hosts;
    if (std::holds_alternative<LensReported>(event->payload)) read.ticks.push_back(*event);
    if (std::holds_alternative<OutputWritten>(event->payload)) read.output.push_back(*event);
  }
  CHECK(reader->problems().empty());
  return read;
}

TEST_CASE("skimming: every GPU reading is there with what a summary needs, details are unknown, the end is in full",
          "[store]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), recording_of(long_stream(), 100));
  const auto all = read_until(folder.file("r.gputop"), Instant{});
  const auto some = read_until(folder.file("r.gputop"), at_seconds(kSeconds - 60));
  REQUIRE(all.gpus.size() == kSeconds);
  REQUIRE(some.gpus.size() == kSeconds);
  std::size_t without = 0;
  for (std::size_t i = 0; i < all.gpus.size(); ++i) {
    const auto& whole = std::get<GpusSampled>(all.gpus[i].payload).gpus.at(0);
    const auto& skimmed = std::get<GpusSampled>(some.gpus[i].payload).gpus.at(0);
    REQUIRE(all.gpus[i].at == some.gpus[i].at);
    REQUIRE(skimmed.uuid == whole.uuid);
    REQUIRE(skimmed.state == whole.state);
    REQUIRE(skimmed.utilization == whole.utilization);
    REQUIRE(skimmed.memory_used == whole.memory_used);
    REQUIRE(skimmed.memory_total == whole.memory_total);
    REQUIRE(skimmed.power == whole.power);
    REQUIRE(skimmed.power_limit == whole.power_limit);
    REQUIRE(skimmed.max_power_limit == whole.max_power_limit);
    REQUIRE(skimmed.temperature == whole.temperature);
    if (!skimmed.sm_clock) {
      ++without;
      CHECK_FALSE(skimmed.processes);
    }
  }
  CHECK(without > kSeconds / 4);
  CHECK(some.gpus.back() == all.gpus.back());
  CHECK(some.hosts < all.hosts);
  CHECK(all.hosts == kSeconds);
}

TEST_CASE("skimming: a tick and a printed line in a few seconds are enough, but no error is left out", "[store]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), recording_of(long_stream(), 100));
  const auto all = read_until(folder.file("r.gputop"), Instant{});
  const auto some = read_until(folder.file("r.gputop"), at_seconds(kSeconds - 60));
  CHECK(all.ticks.size() == kSeconds);
  CHECK(some.ticks.size() < all.ticks.size() * 3 / 4);
  for (std::size_t i = 1; i < some.ticks.size(); ++i)
    REQUIRE(some.ticks[i].at - some.ticks[i - 1].at <= std::chrono::seconds{9});
  CHECK(some.ticks.back() == all.ticks.back());
  CHECK(std::get<OutputWritten>(all.output.at(1).payload) == OutputWritten{0, 9, "\"step\"\t\\\n"});
  CHECK(all.output.size() == kSeconds);
  CHECK(some.output.size() < all.output.size() * 3 / 4);
  const auto errors = [](const std::vector<Event>& output) {
    return std::count_if(output.begin(), output.end(), [](const Event& event) {
      return std::get<OutputWritten>(event.payload).bytes.starts_with("RuntimeError");
    });
  };
  CHECK(errors(some.output) == 30);
}

TEST_CASE("skimming: while a lens counts, printed progress is not needed, but errors are", "[store]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), recording_of(long_stream(), 100));
  auto reader = RecordingReader::open(folder.file("r.gputop"));
  REQUIRE(reader);
  reader->skim_before(at_seconds(kSeconds - 60));
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t errors = 0;
  while (const auto* event = reader->next()) {
    if (event->at >= at_seconds(600)) reader->skim_progress(false);
    const auto* output = std::get_if<OutputWritten>(&event->payload);
    if (output == nullptr || event->at >= at_seconds(1800)) continue;
    if (output->bytes.starts_with("RuntimeError"))
      ++errors;
    else
      ++(event->at < at_seconds(1200) ? before : after);
  }
  CHECK(errors == 18);
  CHECK(before > 594);  // the first frame in full, but for its errors
  CHECK(after > 10);    // of 600; some at the same time as an error
  CHECK(after < 30);
}

TEST_CASE("a reader that wants the GPUs only gets every reading of theirs in full, and no other", "[store]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), recording_of(long_stream(), 100));
  const auto all = read_until(folder.file("r.gputop"), Instant{});
  auto reader = RecordingReader::open(folder.file("r.gputop"));
  REQUIRE(reader);
  reader->leave_out_all_but_gpus();
  std::vector<Event> events;
  while (const auto* event = reader->next()) events.push_back(*event);
  CHECK((events == all.gpus));
}

TEST_CASE("a recording that is still being written is not damaged; one that was cut off says so", "[store]") {
  const test::TemporaryDirectory folder;
  const auto bytes = recording_of(long_stream(), 100);
  write_bytes(folder.file("r.gputop"), bytes.substr(0, bytes.size() / 2));
  for (const bool open : {false, true}) {
    auto reader = RecordingReader::open(folder.file("r.gputop"));
    REQUIRE(reader);
    if (open) reader->expect_open();
    while (reader->next() != nullptr) {
    }
    CHECK(reader->cut_off());
    CHECK(reader->problems().empty() == open);
  }
}

}  // namespace
}  // namespace gputop
