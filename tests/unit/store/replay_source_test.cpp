#include "gputop/store/replay_source.hpp"

#include <catch2/catch_test_macros.hpp>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

using namespace gputop;
using namespace gputop::testing;

namespace {

// A recording of `seconds` readings, and a source that plays it.
class Player {
 public:
  explicit Player(int seconds, double speed) {
    events.push_back({at_seconds(0), StreamStarted{{}, "0.1.0", "host", std::chrono::seconds{1}}});
    events.push_back({at_seconds(0), SourceStatus{"nvml", SourceStatus::State::kOk, "", "550", false}});
    for (int second = 0; second < seconds; ++second) {
      GpuReading gpu;
      gpu.memory_used = Bytes{static_cast<std::uint64_t>(second)};
      events.push_back({at_seconds(second), GpusSampled{{gpu}}});
    }
    write_bytes(folder_.file("r.gputop"), recording_of(events));
    source = make_replay_source(*RecordingReader::open(folder_.file("r.gputop")), speed);
    source->start(at_seconds(100), [this](Event event) { emitted.push_back(std::move(event)); });
  }

  std::vector<Event> events;
  std::vector<Event> emitted;
  std::unique_ptr<ReplaySource> source;

 private:
  test::TemporaryDirectory folder_;
};

}  // namespace

TEST_CASE("replay gives events with their own times as time passes", "[store][replay]") {
  Player player{20, 1};
  CHECK(player.source->name() == "replay");
  player.source->tick(at_seconds(100));
  CHECK(player.emitted.size() == 3);  // stream, source, reading 0
  player.source->tick(at_seconds(100.5));
  CHECK(player.emitted.size() == 3);
  player.source->tick(at_seconds(102));
  CHECK(player.emitted.size() == 5);
  CHECK(player.emitted.back().at == at_seconds(2));
  player.source->tick(at_seconds(200));
  CHECK(player.emitted == player.events);
  CHECK(player.source->finished());
}

TEST_CASE("replay runs at half and at ten times the speed", "[store][replay]") {
  Player slow{20, 0.5};
  Player fast{20, 10};
  for (auto* player : {&slow, &fast}) {
    player->source->tick(at_seconds(100));
    player->source->tick(at_seconds(101));
  }
  CHECK(slow.source->position() == at_seconds(0.5));
  CHECK(slow.emitted.back().at == at_seconds(0));
  CHECK(fast.source->position() == at_seconds(10));
  CHECK(fast.emitted.back().at == at_seconds(10));
}

TEST_CASE("as fast as possible gives everything in batches until it is finished", "[store][replay]") {
  Player player{5000, ReplaySource::kAsFastAsPossible};
  player.source->tick(at_seconds(100));
  CHECK(player.emitted.size() == ReplaySource::kBatch);
  CHECK_FALSE(player.source->finished());
  player.source->tick(at_seconds(100));
  CHECK(player.source->finished());
  CHECK(player.emitted == player.events);
}

TEST_CASE("a paused replay stands still and goes on from there", "[store][replay]") {
  Player player{20, 1};
  player.source->tick(at_seconds(100));
  player.source->pause(true);
  player.source->tick(at_seconds(110));
  CHECK(player.emitted.size() == 3);
  player.source->pause(false);
  player.source->tick(at_seconds(111));
  CHECK(player.emitted.back().at == at_seconds(1));
}

TEST_CASE("after a seek the stream begins again with the minutes before that moment", "[store][replay]") {
  Player player{2000, 1};
  player.source->tick(at_seconds(100));
  player.emitted.clear();
  player.source->seek(at_seconds(1500));
  player.source->tick(at_seconds(100));
  REQUIRE(player.emitted.size() == 2 + 301);
  CHECK(player.emitted[0] == player.events[0]);
  CHECK(player.emitted[1] == player.events[1]);
  CHECK(player.emitted[2].at == at_seconds(1200));
  CHECK(player.emitted.back() == player.events[2 + 1500]);

  SECTION("back to the very beginning, and before it") {
    player.emitted.clear();
    player.source->seek(at_seconds(-5));
    player.source->tick(at_seconds(100));
    CHECK(player.emitted.empty());
    player.source->tick(at_seconds(107));
    CHECK(player.emitted.back().at == at_seconds(2));
  }
  SECTION("beyond the end") {
    player.emitted.clear();
    player.source->seek(at_seconds(99999));
    player.source->tick(at_seconds(100));
    CHECK(player.source->finished());
    CHECK(player.emitted.back() == player.events.back());
  }
}

TEST_CASE("a stopped replay is silent", "[store][replay]") {
  Player player{20, 1};
  player.source->tick(at_seconds(100));
  player.source->stop();
  player.source->tick(at_seconds(120));
  CHECK(player.emitted.size() == 3);
}
