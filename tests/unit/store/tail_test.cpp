// Going on with a recording whose writer was killed: nothing of a job's output is lost, nothing is there twice.
#include "gputop/store/recording_tail.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/store/recording_writer.hpp"
#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"
#include "store/marker.hpp"

using namespace gputop;
using namespace gputop::testing;

namespace {

std::string piece_of_output(std::uint64_t offset, std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += std::to_string((offset + bytes.size()) * 7919 % 1000003) + "\n";
  bytes.resize(size);
  return bytes;
}

// Pieces of output from this offset on, sealed after each as a session does it; the frame is left open.
std::string torn_recording(std::uint64_t from, int pieces, std::size_t size = 3000) {
  auto encoder = *store::RecordingEncoder::create();
  encoder->continue_output({from, 0});
  encoder->append({at_seconds(0), StreamStarted{}});
  for (int i = 0; i < pieces; ++i) {
    const auto offset = from + static_cast<std::uint64_t>(i) * size;
    encoder->append({at_seconds(i), OutputWritten{0, offset, piece_of_output(offset, size)}});
    encoder->seal();
  }
  return encoder->bytes();
}

RecordingTail tail_of(const std::string& bytes) {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), bytes);
  const auto tail = read_recording_tail(folder.file("r.gputop"));
  REQUIRE(tail);
  CHECK(tail->bytes == bytes.size());
  return *tail;
}

// The output in it, which must have neither holes nor repetitions.
std::uint64_t whole_output(const ReadBack& read) {
  std::uint64_t end = 0;
  for (const auto& event : read.events) {
    const auto* output = std::get_if<OutputWritten>(&event.payload);
    if (!output) continue;
    REQUIRE(output->offset == end);
    REQUIRE(output->bytes == piece_of_output(end, output->bytes.size()));
    end += output->bytes.size();
  }
  return end;
}

}  // namespace

TEST_CASE("a recording torn at any byte and gone on with holds each byte of output once", "[store][tail]") {
  const auto first = torn_recording(0, 4);
  std::uint64_t most = 0;
  for (std::size_t length = 0; length <= first.size(); length += 7) {
    const auto torn = first.substr(0, length);
    const auto end = tail_of(torn).output[0];
    CAPTURE(length, end);
    REQUIRE(end >= most);
    most = end;
    const auto read = read_bytes_as_recording(torn + torn_recording(end, 2));
    REQUIRE(read.opened);
    CHECK(whole_output(read) == end + 6000);
    CHECK(read.problems.size() <= 1);  // "cut off": nobody closed the second one either
  }
  CHECK(tail_of(first).output[0] == 12000);
}

TEST_CASE("torn again and again, also before anything was settled", "[store][tail]") {
  std::string bytes;
  for (int round = 0; round < 40; ++round) {
    const auto end = tail_of(bytes).output[0];
    const auto next = torn_recording(end, 1 + round % 3);
    bytes += next.substr(0, next.size() * static_cast<std::size_t>(round * 37 % 101) / 100);
  }
  const auto end = tail_of(bytes).output[0];
  CHECK(whole_output(read_bytes_as_recording(bytes + torn_recording(end, 1))) == end + 3000);
  CHECK(end > 30000);
}

TEST_CASE("the tail is known without the frames before the last", "[store][tail]") {
  auto encoder = *store::RecordingEncoder::create();
  encoder->append({at_seconds(0), StreamStarted{}});
  encoder->append({at_seconds(1), OutputWritten{1, 0, "to stderr\n"}});
  encoder->append({at_seconds(2), OutputWritten{0, 0, "to stdout\n"}});
  encoder->append({at_seconds(700), Noted{Noted::Severity::kInfo, "another frame"}});
  encoder->finish();
  auto bytes = encoder->bytes();
  const auto second = bytes.find(store::kMarkerStart, 1);
  REQUIRE(second != std::string::npos);
  std::fill(bytes.begin() + 40, bytes.begin() + static_cast<std::ptrdiff_t>(second), 'x');
  CHECK(tail_of(bytes).output == OutputEnds{10, 10});
}

TEST_CASE("a file that holds nothing readable has a tail without output", "[store][tail]") {
  CHECK(tail_of("").output == OutputEnds{});
  CHECK(tail_of("no recording at all").output == OutputEnds{});
  CHECK_FALSE(read_recording_tail("/no/such/file").ok());
}

TEST_CASE("a writer that goes on begins where the tail ends, and nobody else may write", "[store][tail]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("r.gputop");
  write_bytes(path, torn_recording(0, 2));
  {
    auto resumed = RecordingWriter::resume(path);
    REQUIRE(resumed);
    CHECK(resumed->tail.output[0] == 6000);
    CHECK(RecordingWriter::resume(path).error().message.find("another gputop is writing") != std::string::npos);
    resumed->writer.append({at_seconds(3), StreamStarted{}});
    resumed->writer.append({at_seconds(3), OutputWritten{0, 6000, piece_of_output(6000, 500)}});
  }
  CHECK(whole_output(read_recording(path)) == 6500);
  CHECK(read_recording(path).problems.empty());
}
