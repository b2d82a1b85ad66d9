#include "gputop/job/track.hpp"

#include <catch2/catch_test_macros.hpp>

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

TEST_CASE("Where a rank stands comes from the rank itself", "[job]") {
  auto track = started();
  tick(track, 1, 0);
  track.add(at(2, LensReported{kPid, LensPhase{"compute", 20, 5, "train.py:42 in read_page"}}));
  CHECK(facts(track).site == "train.py:42 in read_page");
}

}  // namespace
}  // namespace gputop::job
