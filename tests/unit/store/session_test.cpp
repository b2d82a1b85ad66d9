// What the recorder does when the disk refuses, with a disk of our own and time passed in.
#include "store/recording_session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cerrno>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

using namespace gputop;
using namespace gputop::testing;
using store::RecordingSession;

namespace {

// A disk with room for so many bytes; a write that does not fit leaves half of itself behind, as real ones do.
struct Disk {
  std::string bytes;
  std::size_t room = std::size_t{1} << 20U;
  int error = ENOSPC;
};

class FileOnDisk : public store::OutputFile {
 public:
  explicit FileOnDisk(Disk& disk) : disk_(disk) {}
  int write(std::uint64_t offset, std::string_view data) override {
    const std::size_t fits = disk_.room > offset ? std::min(data.size(), disk_.room - offset) : 0;
    disk_.bytes.resize(std::max(disk_.bytes.size(), offset + fits));
    disk_.bytes.replace(offset, fits, data.substr(0, fits));
    return fits == data.size() ? 0 : disk_.error;
  }
  void truncate(std::uint64_t size) override { disk_.bytes.resize(size); }

 private:
  Disk& disk_;
};

RecordingSession session_on(Disk& disk) {
  return {"run.gputop", std::make_unique<FileOnDisk>(disk), *store::RecordingEncoder::create()};
}

RecordingSession::Time at_time(double seconds) {
  return RecordingSession::Time{std::chrono::milliseconds{static_cast<int>(seconds * 1000)}};
}

Event sample(int second) {
  GpuReading gpu;
  gpu.memory_used = Bytes{static_cast<std::uint64_t>(second)};
  return {at_seconds(second), GpusSampled{{gpu}}};
}

// One reading a second, as the loop does it.
void record(RecordingSession& session, int from, int to) {
  for (int second = from; second < to; ++second) {
    session.append(sample(second), at_time(second));
    session.tick(at_time(second + 0.99));
  }
}

}  // namespace

TEST_CASE("what is two seconds old is in the file, before anybody closes it", "[store][session]") {
  Disk disk;
  auto session = session_on(disk);
  session.append(sample(0), at_time(0));
  session.tick(at_time(1.4));
  CHECK(disk.bytes.empty());
  REQUIRE(session.due() == at_time(1.5));
  session.append(sample(1), at_time(1));
  session.tick(at_time(1.5));
  CHECK(read_bytes_as_recording(disk.bytes).events == std::vector{sample(0), sample(1)});
  CHECK_FALSE(session.due().has_value());
}

TEST_CASE("a full disk pauses the recording; what fits is readable; then it goes on with a gap", "[store][session]") {
  Disk disk;
  auto session = session_on(disk);
  record(session, 0, 10);
  CHECK_FALSE(session.paused());
  const std::size_t good = disk.bytes.size();
  disk.room = good + 5;
  record(session, 10, 14);
  REQUIRE(session.paused());
  CHECK(session.reason() == "cannot write run.gputop: No space left on device");
  CHECK(disk.bytes.size() == good);
  CHECK(read_bytes_as_recording(disk.bytes).events.size() == 10);

  const Event xid{at_seconds(14), GpuHappened{0, GpuHappened::Kind::kXid, 79, "gone"}};
  session.append(xid, at_time(14));
  record(session, 15, 20);
  CHECK(session.paused());
  disk.room = std::size_t{1} << 20U;
  record(session, 20, 30);
  CHECK_FALSE(session.paused());
  CHECK(session.reason().empty());
  REQUIRE(session.finish(at_time(30)).ok());

  const auto read = read_bytes_as_recording(disk.bytes);
  CHECK(read.problems.empty());
  const RecordingGap* gap = nullptr;
  Instant last;
  bool xid_found = false;
  for (const auto& event : read.events) {
    CHECK(event.at >= last);
    last = event.at;
    if (const auto* found = std::get_if<RecordingGap>(&event.payload)) gap = found;
    xid_found = xid_found || event == xid;
  }
  CHECK(xid_found);
  REQUIRE(gap != nullptr);
  CHECK(gap->reason == "cannot write run.gputop: No space left on device");
  CHECK(gap->from > at_seconds(10));
  CHECK(gap->to >= at_seconds(19));
  for (const auto& event : read.events) {
    const bool inside = event.at >= gap->from && event.at <= gap->to;
    CHECK_FALSE((inside && std::holds_alternative<GpusSampled>(event.payload)));
  }
  CHECK(read.events.back() == sample(29));
}

TEST_CASE("a disk that stays full: closing says what is missing, and the file is readable", "[store][session]") {
  Disk disk;
  disk.error = EDQUOT;
  auto session = session_on(disk);
  record(session, 0, 10);
  disk.room = disk.bytes.size();
  record(session, 10, 20);
  const auto end = session.finish(at_time(20));
  REQUIRE_FALSE(end.ok());
  CHECK(end.error().message == "the end of the recording is missing: cannot write run.gputop: Disk quota exceeded");
  CHECK(read_bytes_as_recording(disk.bytes).events.size() == 10);
}

TEST_CASE("a disk that is full from the first byte does no harm", "[store][session]") {
  Disk disk;
  disk.room = 0;
  auto session = session_on(disk);
  record(session, 0, 50);
  CHECK(session.paused());
  CHECK(disk.bytes.empty());
  disk.room = std::size_t{1} << 20U;
  record(session, 50, 60);
  REQUIRE(session.finish(at_time(60)).ok());
  const auto read = read_bytes_as_recording(disk.bytes);
  CHECK(read.events.front() == sample(0));
  CHECK(read.events.back() == sample(59));
}

TEST_CASE("while paused it is tried again every few seconds, not at every reading", "[store][session]") {
  Disk disk;
  disk.room = 0;
  auto session = session_on(disk);
  record(session, 0, 2);
  REQUIRE(session.paused());
  const auto retry = session.due();
  REQUIRE(retry.has_value());
  disk.room = 1000;
  session.tick(*retry - std::chrono::milliseconds{1});
  CHECK(session.paused());
  session.tick(*retry);
  CHECK_FALSE(session.paused());
}
