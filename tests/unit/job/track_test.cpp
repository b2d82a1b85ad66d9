#include "gputop/job/track.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace gputop::job {
namespace {

constexpr std::int64_t kPid = 100;

Event at(double seconds, Payload payload) {
  return {Instant{} + from_seconds(seconds), std::move(payload)};
}

RecordingTrack started() {
  RecordingTrack track;
  track.add(at(0, StreamStarted{WallTime{}, "vm", "n1", std::chrono::seconds{1}}));
  track.add(at(0, RunStarted{"r", "train", {"python", "train.py"}, "/", kPid, false}));
  return track;
}

// A second of 20 steps in which the main thread lacked a core for `starved` seconds so far.
void tick(RecordingTrack& track, double seconds, double starved) {
  LensTick tick;
  tick.steps = static_cast<std::uint64_t>(20 * seconds);
  tick.sync.push_back({.steps = tick.steps, .starved = starved, .first = tick.steps});
  track.add(at(seconds, LensReported{kPid, tick}));
}

Rank facts(const RecordingTrack& track) {
  return track.lines(0, 0.0).front().rank;
}

TEST_CASE("A neighbor that has just come is not thinned by the quiet minute before it", "[job]") {
  auto track = started();
  double starved = 0;
  for (int second = 1; second <= 60; ++second) tick(track, second, starved);
  CHECK(*facts(track).starved_share < 0.01);
  for (int second = 61; second <= 64; ++second) tick(track, second, starved += 0.8);
  CHECK(*facts(track).starved_share > 0.7);
}

TEST_CASE("Shares of too short a time are unknown, and so are those nobody counted", "[job]") {
  auto track = started();
  tick(track, 1, 0);
  tick(track, 2, 1);
  CHECK_FALSE(facts(track).starved_share);
  LensTick silent;
  silent.steps = 200;
  track.add(at(10, LensReported{kPid, silent}));
  CHECK_FALSE(facts(track).starved_share);
  CHECK_FALSE(facts(track).collecting_share);
}

TEST_CASE("Another process that computes on the rank's GPU is a neighbor", "[job]") {
  auto track = started();
  tick(track, 1, 0);
  ProcessReading worker;
  worker.pid = 101;
  worker.root = kPid;
  track.add(at(1, ProcessesSampled{{worker}}));
  const auto with = [&](std::vector<GpuProcess> processes) {
    GpuReading gpu;
    gpu.uuid = "GPU-0";
    gpu.processes = std::move(processes);
    track.add(at(2, GpusSampled{{gpu}}));
    return facts(track).gpu_neighbor;
  };
  const auto busy = [](std::int64_t pid, Reading<Percent> share = Percent{50}) {
    return GpuProcess{.pid = pid, .utilization = share};
  };
  CHECK(with({busy(kPid), busy(999)}));
  CHECK_FALSE(with({busy(kPid), busy(101)}));                  // its own child
  CHECK_FALSE(with({busy(kPid), busy(999, Percent{1})}));      // only holds memory
  CHECK_FALSE(with({busy(kPid), busy(999, std::nullopt)}));    // unknown
  CHECK_FALSE(with({busy(77), busy(999)}));                    // a container: these are other numbers than ours
  CHECK_FALSE(with({}));
}

// Ten seconds of three ranks, of which the last waits for its batches, without a core most of that time.
Cause cause_where_disks_move(std::array<Reading<BytesPerSecond>, 3> rates) {
  std::vector<RankLine> lines;
  for (unsigned number = 0; number < 3; ++number) {
    auto track = started();
    track.add(at(0, JobJoined{.id = "7", .launcher = "slurm", .node = "n" + std::to_string(number), .rank = number}));
    const bool late = number == 2;
    for (int second = 1; second <= 10; ++second) {
      LensTick tick;
      tick.steps = static_cast<std::uint64_t>(3 * second);
      LensSync sync{.steps = tick.steps, .starved = (late ? 0.7 : 0.01) * second, .first = tick.steps - 2};
      for (int step = 0; step < 3; ++step) {
        sync.own.push_back(100);
        sync.input.push_back(late ? 220 : 2);
        sync.exchange.push_back(late ? 4 : 222);
        sync.cpu.push_back(10);
        sync.items.push_back(64);
      }
      tick.sync.push_back(std::move(sync));
      track.add(at(second, LensReported{kPid, tick}));
      ProcessReading process;
      process.pid = process.root = kPid;
      process.state = 'R';
      process.read = rates.at(number);
      track.add(at(second, ProcessesSampled{{process}}));
    }
    for (auto& line : track.lines(number, 0.0)) lines.push_back(std::move(line));
  }
  const auto whole = merge(std::move(lines));
  REQUIRE(whole.explained.straggler);
  CHECK(whole.explained.straggler->rank == 2);
  return whole.explained.straggler->cause;
}

TEST_CASE("A rank that waits for cores whenever it returns from a disk waits for the disk", "[job]") {
  const BytesPerSecond little{1e4};
  const BytesPerSecond much{3e6};
  CHECK(cause_where_disks_move({little, little, much}) == Cause::kLoaderDisk);
  CHECK(cause_where_disks_move({std::nullopt, std::nullopt, much}) == Cause::kHostNeighbor);  // nothing to compare with
  CHECK(cause_where_disks_move({much, much, much}) == Cause::kHostNeighbor);      // all of them read
  CHECK(cause_where_disks_move({little, little, little}) == Cause::kHostNeighbor);
  CHECK(cause_where_disks_move({std::nullopt, std::nullopt, std::nullopt}) == Cause::kHostNeighbor);
}

TEST_CASE("Where a rank stands comes from the rank itself", "[job]") {
  auto track = started();
  tick(track, 1, 0);
  track.add(at(2, LensReported{kPid, LensPhase{"compute", 20, 5, "train.py:42 in read_page"}}));
  CHECK(facts(track).site == "train.py:42 in read_page");
}

}  // namespace
}  // namespace gputop::job
