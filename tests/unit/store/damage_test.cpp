#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"
#include "store/marker.hpp"

using namespace gputop;
using namespace gputop::testing;

namespace {

// Readings at 1 Hz that all differ: a wrong value cannot be taken for a right one. Several frames when long enough.
std::vector<Event> run_of(int seconds) {
  std::vector<Event> events{{at_seconds(0), StreamStarted{WallTime{std::chrono::milliseconds{1794801068000}}, "0.1.0",
                                                          "host", std::chrono::seconds{1}}},
                            {at_seconds(0), SourceStatus{"nvml", SourceStatus::State::kOk, "", "550", false}}};
  for (int second = 0; second < seconds; ++second) {
    GpuReading gpu = full_gpu(0);
    gpu.memory_used = Bytes{static_cast<std::uint64_t>(second) * 7919 % 100003};
    gpu.utilization = Percent{static_cast<double>(second * 37 % 101)};
    events.push_back({at_seconds(second), GpusSampled{{gpu}}});
  }
  events.push_back({at_seconds(seconds), StreamEnded{"done"}});
  return events;
}

bool is_prefix(const std::vector<Event>& part, const std::vector<Event>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// Every event of part is in whole, in the same order.
bool is_subsequence(const std::vector<Event>& part, const std::vector<Event>& whole) {
  auto from = whole.begin();
  for (const auto& event : part) {
    from = std::find(from, whole.end(), event);
    if (from == whole.end()) return false;
    ++from;
  }
  return true;
}

std::size_t second_marker(const std::string& bytes) {
  return bytes.find(store::kMarkerStart, store::kMarkerBytes);
}

}  // namespace

TEST_CASE("a recording cut off at any byte gives all that was flushed before, and says that it was cut",
          "[store][damage]") {
  const auto events = run_of(40);
  const auto bytes = recording_of(events, 2);
  std::size_t most = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto read = read_bytes_as_recording(bytes.substr(0, length));
    if (!read.opened) {
      CHECK_FALSE(read.error.empty());
      CHECK(most == 0);
      continue;
    }
    if (!is_prefix(read.events, events) || read.problems.empty() || read.events.size() < most) {
      CAPTURE(length, read.events.size(), most);
      FAIL("not a prefix, or no problem named, or fewer events than in a shorter file");
    }
    most = read.events.size();
  }
  CHECK(most == events.size());
  CHECK(read_bytes_as_recording(bytes).problems.empty());
}

TEST_CASE("a flipped bit anywhere never yields a wrong event, and what it costs is reported", "[store][damage]") {
  const auto events = run_of(1250);  // three frames
  const auto bytes = recording_of(events, 2);
  std::mt19937 random{42};
  for (int round = 0; round < 400; ++round) {
    auto damaged = bytes;
    const std::size_t position = random() % damaged.size();
    damaged[position] = static_cast<char>(damaged[position] ^ (1U << random() % 8));
    const auto read = read_bytes_as_recording(damaged);
    CAPTURE(round, position, read.error, read.problems);
    REQUIRE(read.opened);
    // Some bits of a zstd stream mean nothing; then nothing is lost.
    REQUIRE((!read.problems.empty() || read.events == events));
    REQUIRE(is_subsequence(read.events, events));
    // At most the damaged frame is lost, and what begins the stream is known all the same.
    REQUIRE(read.events.size() > 600);
    REQUIRE(read.events.front() == events.front());
  }
}

TEST_CASE("what was lost is said: where, how long, between which moments", "[store][damage]") {
  auto bytes = recording_of(run_of(1250), 2);
  const std::size_t second = second_marker(bytes);
  bytes.replace(second + 2000, 16, 16, '\0');
  const auto read = read_bytes_as_recording(bytes);
  REQUIRE(read.problems.size() == 1);
  const auto& problem = read.problems[0];
  CHECK(problem.find("damaged at byte ") == 0);
  CHECK(problem.find(": lost 00:") != std::string::npos);
  CHECK(problem.find(" and 00:20:00") != std::string::npos);
  CHECK(read.events.back().at == at_seconds(1250));
}

TEST_CASE("a file whose beginning is destroyed is read from its next frame on", "[store][damage]") {
  auto bytes = recording_of(run_of(700), 2);
  std::fill_n(bytes.begin(), 200, 'x');
  const auto read = read_bytes_as_recording(bytes);
  REQUIRE(read.opened);
  REQUIRE(read.events.size() > 2);
  CHECK(std::holds_alternative<StreamStarted>(read.events[0].payload));
  CHECK(std::holds_alternative<SourceStatus>(read.events[1].payload));
  CHECK(read.events[2].at == at_seconds(600));
  REQUIRE(read.problems.size() == 1);
  CHECK(read.problems[0].find("what came before 00:10:00 is lost") != std::string::npos);
}

TEST_CASE("frames cut out of the middle are missed", "[store][damage]") {
  const auto bytes = recording_of(run_of(1250), 2);
  const std::size_t second = second_marker(bytes);
  const std::size_t third = bytes.find(store::kMarkerStart, second + 1);
  const auto read = read_bytes_as_recording(bytes.substr(0, second) + bytes.substr(third));
  REQUIRE(read.problems.size() == 1);
  CHECK(read.problems[0].find("frames are missing") == 0);
  CHECK(read.problems[0].find("between 00:09:59 and 00:20:00") != std::string::npos);
}

TEST_CASE("a frame that was cut off and is followed by another costs only its end", "[store][damage]") {
  const auto bytes = recording_of(run_of(700), 2);
  const std::size_t second = second_marker(bytes);
  const auto read = read_bytes_as_recording(bytes.substr(0, second - 500) + bytes.substr(second));
  CHECK(is_subsequence(read.events, run_of(700)));
  CHECK(read.events.back().at == at_seconds(700));
  CHECK(read.problems.size() == 1);
}

TEST_CASE("random bytes are refused without a crash", "[store][damage]") {
  std::mt19937 random{7};
  const auto bytes = recording_of(run_of(30), 2);
  for (int round = 0; round < 300; ++round) {
    std::string noise(random() % 3000, '\0');
    for (auto& byte : noise) byte = static_cast<char>(random());
    if (round % 3 == 1) noise.replace(0, std::min<std::size_t>(noise.size(), 60), bytes, 0, 60);
    if (round % 3 == 2) noise = bytes + noise;
    const auto read = read_bytes_as_recording(noise);
    if (read.opened) {
      CHECK(is_subsequence(read.events, run_of(30)));
    } else {
      CHECK_FALSE(read.error.empty());
    }
  }
}

TEST_CASE("an empty file, a text, a folder and a missing file are refused with the reason", "[store][damage]") {
  CHECK(read_bytes_as_recording("").error.find("it is empty") != std::string::npos);
  CHECK(read_bytes_as_recording("index,util\n0,97\n").error.find("not a gputop recording") != std::string::npos);
  CHECK(read_bytes_as_recording(packed("{\"a\":1}\n")).error.find("not a gputop recording") != std::string::npos);
  CHECK(read_recording("/").error.find("is not a file") != std::string::npos);
  CHECK(read_recording("/nonexistent.gputop").error.find("No such file") != std::string::npos);
}

TEST_CASE("a frame that asks for a huge window, or holds an endless line, is not obeyed", "[store][damage]") {
  // A hand-made frame header: window of 2 GiB, no content size.
  const std::string huge_window{"\x28\xB5\x2F\xFD\x00\xA8", 6};
  CHECK_FALSE(read_bytes_as_recording(huge_window + std::string(100, '\0')).opened);
  const auto endless = read_bytes_as_recording(packed(std::string(std::size_t{40} << 20U, 'x')));
  CHECK_FALSE(endless.opened);
}
