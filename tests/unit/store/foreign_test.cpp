// Recordings of other versions and other hands.
#include <catch2/catch_test_macros.hpp>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

using namespace gputop;
using namespace gputop::testing;

namespace {

const std::string kHeader = R"({"schema":"gputop.recording/1","frame":0,"t":0,"context":[]})"
                            "\n";

ReadBack read_lines(const std::string& lines) {
  return read_bytes_as_recording(packed(kHeader + lines));
}

}  // namespace

TEST_CASE("events of a kind from a newer version are skipped and counted", "[store][foreign]") {
  const auto read = read_lines(
      "{\"t\":1,\"dream\":{\"a\":[1,{}]}}\n{\"dream\":{}}\n{\"t\":5,\"noted\":{\"severity\":\"info\",\"text\":\"x\"}}"
      "\n");
  REQUIRE(read.events.size() == 1);
  CHECK(read.events[0] == Event{Instant{std::chrono::milliseconds{5}}, Noted{Noted::Severity::kInfo, "x"}});
  REQUIRE(read.problems.size() == 1);
  CHECK(read.problems[0] == "2 events of the unknown kind “dream”, from a newer version, were skipped");
}

TEST_CASE("fields and columns from a newer version are skipped in silence", "[store][foreign]") {
  const auto read = read_lines(
      "{\"t\":1,\"gpus\":{\"rows\":1,\"new\":[{\"a\":\"}\\\"\"}],\"util\":[50],\"also\":{\"b\":[]}},\"more\":[1]}\n"
      "{\"t\":2,\"happened\":{\"gpu\":1,\"kind\":\"molten\",\"code\":1,\"text\":\"too hot\",\"new\":2}}\n"
      "{\"t\":3,\"gpus\":{\"state\":[\"asleep\"]}}\n");
  CHECK(read.problems.empty());
  REQUIRE(read.events.size() == 3);
  CHECK(std::get<GpusSampled>(read.events[0].payload).gpus.at(0).utilization == Percent{50});
  CHECK(std::get<GpuHappened>(read.events[1].payload).text == "too hot");
  CHECK(std::get<GpusSampled>(read.events[2].payload).gpus.at(0).state == GpuState::kFailed);
}

TEST_CASE("a newer major version is refused, and the message says what to do", "[store][foreign]") {
  const auto read = read_bytes_as_recording(packed("{\"schema\":\"gputop.recording/2\",\"frame\":0}\n"));
  CHECK_FALSE(read.opened);
  CHECK(read.error.find("newer gputop") != std::string::npos);
  CHECK(read.error.find("update gputop") != std::string::npos);
}

TEST_CASE("lines that make no sense are skipped, and nothing is built upon half of one", "[store][foreign]") {
  const auto read = read_lines(
      "{\"t\":1,\"gpus\":{\"util\":[50]}}\n"                                // before "rows"
      "{\"t\":2,\"gpus\":{\"rows\":2,\"util\":[1,2]}}\n"                    // good
      "{\"t\":3,\"gpus\":{\"power\":[5,6],\"util\":[1]}}\n"                 // too few cells
      "{\"t\":4,\"gpus\":{}}\n"                                             // would give half of the line before
      "{\"t\":5,\"gpus\":{\"rows\":99999999}}\n"                            // more than any machine has
      "{\"t\":6,\"gpus\":{\"rows\":1,\"process_count\":[3]}}\n"             // processes that are nowhere
      "{\"t\":7,\"gpus\":{\"rows\":1,\"util\":[\"fast\"]}}\n"               // no number
      "{\"t\":99999999999999999,\"gpus\":{\"rows\":1}}\nhello\n{}\n[]\n\n"  // no time, no object
      "{\"t\":8,\"gpus\":{\"rows\":1,\"util\":[7]}}\n");
  REQUIRE(read.events.size() == 2);
  CHECK(std::get<GpusSampled>(read.events[0].payload).gpus.at(1).utilization == Percent{2});
  CHECK(std::get<GpusSampled>(read.events[1].payload).gpus.at(0).utilization == Percent{7});
  REQUIRE(read.problems.size() == 1);
  CHECK(read.problems[0] == "11 invalid lines were skipped");
}

TEST_CASE("a recording unpacked and packed again by other tools can be read", "[store][foreign]") {
  const auto events = every_kind();
  CHECK(read_bytes_as_recording(packed(text_of(recording_of(events)))).events == events);
}

TEST_CASE("skippable frames of other tools are stepped over", "[store][foreign]") {
  const std::string theirs{
      "\x50\x2A\x4D\x18\x03\x00\x00\x00"
      "abc",
      11};
  const auto read = read_bytes_as_recording(theirs + recording_of(every_kind()) + theirs);
  CHECK(read.events == every_kind());
  CHECK(read.problems.empty());
}

TEST_CASE("a line that is nested a million times is skipped", "[store][foreign]") {
  const std::string deep(1'000'000, '[');
  for (const std::string kind : {"run", "lens_hello", "noted", "dream"}) {
    CAPTURE(kind);
    const auto read = read_lines("{\"" + kind + "\":" + deep + "\n{\"t\":5,\"ended\":{\"reason\":\"x\"}}\n");
    REQUIRE(read.events.size() == 1);
    CHECK(read.problems.size() == 1);
  }
  const std::string closed = deep + std::string(deep.size(), ']');
  CHECK(read_lines("{\"lens_hello\":{\"of\":1,\"x\":" + closed + "}}\n").events.empty());
  CHECK_FALSE(
      read_bytes_as_recording(packed(R"({"schema":"gputop.recording/1","frame":0,"t":0,"context":[)" + closed + "]}\n"))
          .opened);
}

TEST_CASE("a few bytes do not make thousands of rows", "[store][foreign]") {
  const auto read = read_lines("{\"processes\":{\"rows\":65536}}\n{\"gpus\":{\"rows\":256}}\n");
  CHECK(read.events.empty());
  CHECK(read.problems.size() == 1);
}

TEST_CASE("a recording that asks for more than its size can hold is read no further", "[store][foreign]") {
  std::string pids = "0";
  for (int i = 1; i < 65536; ++i) pids += ",0";
  std::string lines = "{\"processes\":{\"rows\":65536,\"pid\":[" + pids + "]}}\n";
  for (int i = 0; i < 100000; ++i) lines += "{\"processes\":{}}\n";
  const auto bytes = packed(kHeader + lines);
  REQUIRE(bytes.size() < 2000);
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), bytes);
  auto reader = RecordingReader::open(folder.file("r.gputop"));
  REQUIRE(reader);
  std::size_t rows = 0;
  while (const Event* event = reader->next()) rows += std::get<ProcessesSampled>(event->payload).processes.size();
  CHECK(rows > 65536);
  CHECK(rows < 5'000'000);
  REQUIRE(reader->problems().size() == 1);
  CHECK(reader->problems()[0].find("more than a recording of its size can hold") != std::string::npos);
}

TEST_CASE("moments of other ages are no moments, and none is further from another than can be counted",
          "[store][foreign]") {
  const auto read = read_lines(
      "{\"t\":-62135596800000,\"noted\":{\"text\":\"year 1\"}}\n{\"t\":65577600000000,\"noted\":{\"text\":\"year "
      "4048\"}}\n"
      "{\"t\":4400000000000,\"noted\":{\"text\":\"late\"}}\n{\"t\":-4400000000000,\"noted\":{\"text\":\"early\"}}\n"
      "{\"t\":7,\"clock\":{\"wall\":65577600000000}}\n");
  REQUIRE(read.events.size() == 3);
  CHECK(read.events[0].at - read.events[1].at == std::chrono::seconds{8'800'000'000});
  CHECK(std::get<ClockAdjusted>(read.events[2].payload).wall == WallTime{});
}
