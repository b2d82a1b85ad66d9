#include "engine/run_feed.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "gputop/run/process.hpp"
#include "gputop/sources/host_source.hpp"
#include "run/shared_map.hpp"
#include "support/loop_script.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

Descriptor ring_memory() {
  auto made = run::SharedMap::create(run::Mode::kPty, 64 << 10);
  REQUIRE(made);
  return std::move(*made);
}

run::SharedMap mapped(const Descriptor& memory) {
  auto map = run::SharedMap::map(memory.get());
  REQUIRE(map);
  return std::move(*map);
}

// The keeper's end of a run, in this process: what the job prints goes into the ring, and the engine is woken.
struct RingKeeper {
  Descriptor memory = ring_memory();
  run::SharedMap shared = mapped(memory);
  run::RingWriter ring{shared.ring(0)};
  Descriptor wake{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  Descriptor control;  // the keeper's end of the newest engine's

  RingKeeper() {
    shared->keeper.pid = ::getpid();
    shared->keeper.ticks = run::start_ticks(::getpid());
    shared->job_state = run::JobState::kRunning;
  }

  // A new engine: older ones are fenced off.
  run::RunChannel channel() {
    run::RunFds fds;
    fds.shared = ::dup(memory.get());
    fds.wake = ::dup(wake.get());
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds.control.data()) == 0);
    control.reset(::dup(fds.control[0]));
    fds.generation = ++shared->generation;
    auto opened = run::RunChannel::open(fds, {});
    REQUIRE(opened);
    return std::move(*opened);
  }

  void print(const std::string& text) {
    ring.overwrite(text);
    tell();
  }
  void end(int wait_status) {
    shared->end.wait_status = wait_status;
    shared->job_state = run::JobState::kEnded;
    tell();
  }
  void tell() const {
    const std::uint64_t one = 1;
    REQUIRE(::write(wake.get(), &one, sizeof one) == sizeof one);
  }
  [[nodiscard]] std::uint64_t released() const { return shared->streams[0].released; }
};

struct SilentSource final : Source {
  [[nodiscard]] std::string_view name() const override { return "silent"; }
  void start(Instant, Sink) override {}
  void tick(Instant) override {}
  void stop() override {}
};

// A recording that does what the test says.
struct ScriptedArchive final : Archive {
  bool room = true;
  std::uint64_t settled_events = 0;
  std::uint64_t events = 0;
  int asked = 0;
  int hurried = 0;
  bool has_room() override { return ++asked, room; }
  std::uint64_t received() override { return events; }
  std::uint64_t settled() override { return settled_events; }
  std::uint64_t steps() override { return 0; }
  void hurry() override { ++hurried; }
};

// An engine of the run: what it published, and what it was told.
struct Fed {
  Loop& loop;
  Engine engine{loop, 1h, std::make_unique<SilentSource>(), nullptr};
  ScriptedArchive archive;
  std::string output;
  std::vector<std::string> notes;
  std::vector<RunEnded> ends;
  std::vector<bool> unread;
  int ended = 0;
  int fenced = 0;
  int held = 0;
  std::vector<std::string> relaunched;  // the output until then
  Engine::Subscription listening;
  RunFeed feed;

  Fed(Loop& on, RingKeeper& keeper)
      : loop(on),
        feed(on, engine, keeper.channel(), {[this] { ++ended; }, [this] { ++fenced; }, [this] { relaunched.push_back(output); }, [this] { ++held; }}) {
    listening = engine.listen([this](const Event& event, const Model&) {
      ++archive.events;
      if (const auto* written = std::get_if<OutputWritten>(&event.payload)) {
        CHECK(written->offset >= output.size());
        output += written->bytes;
        unread.push_back(written->unread);
      }
      if (const auto* noted = std::get_if<Noted>(&event.payload)) notes.push_back(noted->text);
      if (const auto* end = std::get_if<RunEnded>(&event.payload)) ends.push_back(*end);
    });
    feed.set_archive(&archive);
  }
};

TEST_CASE("run feed: output is released once the recording has settled it, not before", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  fed.feed.start();
  keeper.print("epoch 1\n");
  test::LoopScript script{loop};
  script
      .when([&] { return fed.output == "epoch 1\n"; },
            [&] {
              CHECK(keeper.released() == 0);
              fed.archive.settled_events = fed.archive.events;
            })
      .when([&] { return keeper.released() == 8; });
  CHECK(script.run());
}

TEST_CASE("run feed: a recording without room holds output back in the ring, and loses none of it", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  fed.archive.room = false;
  fed.feed.start();
  keeper.print("one\n");
  keeper.print("two\n");
  test::LoopScript script{loop};
  script
      .when([&] { return fed.archive.asked >= 3; },
            [&] {
              CHECK(fed.output.empty());
              fed.archive.room = true;
            })
      .when([&] { return fed.output == "one\ntwo\n"; });
  CHECK(script.run());
  CHECK(fed.notes.empty());
}

TEST_CASE("run feed: a recording that stands still does not hold the job back for ever", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  fed.archive.room = false;  // and its steps never change: the disk hangs
  const std::string flood(keeper.ring.capacity() / 4 * 3, 'x');
  keeper.print(flood);
  fed.feed.start();
  test::LoopScript script{loop};
  script.when([&] { return fed.output.size() == flood.size(); });
  CHECK(script.run());
}

TEST_CASE("run feed: what was overwritten before an engine read it is said to be missing", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  keeper.print(std::string(1000, 'a'));
  keeper.print(std::string(keeper.ring.capacity(), 'b'));
  fed.feed.start();
  test::LoopScript script{loop};
  script.when([&] { return fed.output.size() == keeper.ring.capacity(); });
  CHECK(script.run());
  CHECK(fed.output.find('a') == std::string::npos);
  REQUIRE(fed.notes.size() == 1);
  CHECK(fed.notes[0] == "1000 bytes of output were overwritten before they could be read");
}

TEST_CASE("run feed: an engine that follows another goes on where the recording ends; the older one is fenced off",
          "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed first{loop, keeper};
  std::unique_ptr<Fed> second;
  first.feed.start();
  keeper.print("before ");
  test::LoopScript script{loop};
  script
      .when([&] { return first.output == "before "; },
            [&] {
              second = std::make_unique<Fed>(loop, keeper);
              second->output = "before ";  // what the recording has
              second->feed.seek(0, 7);
              second->feed.start();
              keeper.print("after");
            })
      .when([&] { return second->output == "before after" && first.fenced > 0; },
            [&] { second->archive.settled_events = second->archive.events; })
      .when([&] { return keeper.released() == 12; });
  CHECK(script.run());
  CHECK(first.output == "before ");
  CHECK(second->fenced == 0);
}

TEST_CASE("run feed: the job's last words come before its end, which is told once", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  keeper.print("Traceback\n");
  keeper.end(3 << 8);
  fed.feed.start();
  test::LoopScript script{loop};
  script.when([&] { return fed.ended > 0; }, [&] { keeper.tell(); }).when([&] { return fed.archive.asked > 0; });
  CHECK(script.run());
  CHECK(fed.output == "Traceback\n");
  REQUIRE(fed.ends.size() == 1);
  CHECK(fed.ends[0].exit_code == 3);
  CHECK(fed.ended == 1);
}

TEST_CASE("run feed: an end that the recording has already is not told again by the next engine", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  keeper.end(0);
  fed.feed.expect_past();
  fed.feed.start();
  test::LoopScript script{loop};
  script
      .when([] { return true; },
            [&] {
              CHECK(fed.ended == 0);  // the past is still being read
              fed.feed.past_known(true);
            })
      .when([&] { return fed.ended == 1; });
  CHECK(script.run());
  CHECK(fed.ends.empty());
}

TEST_CASE("run feed: what follows a held job is decided by each engine, though an earlier one recorded its end", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  keeper.shared->end.wait_status = 1 << 8;
  keeper.shared->job_state = run::JobState::kHeld;
  fed.feed.expect_past();
  fed.feed.start();
  CHECK(fed.held == 0);  // the past is still being read
  fed.feed.past_known(true);
  CHECK(fed.held == 1);
  CHECK(fed.ends.empty());
  CHECK(fed.feed.channel().follow(run::RunChannel::Follow::kNothing));
  // The keeper died with that message. It is repeated until the next one has heard it, and the job's end is not told anew.
  const auto heard = [&] {
    run::ControlMessage message;
    return ::recv(keeper.control.get(), &message, sizeof message, MSG_DONTWAIT) > 0 &&
           message.kind == run::ControlMessage::Kind::kFollow;
  };
  CHECK(heard());
  test::LoopScript script{loop};
  script.when(heard).when(heard);
  CHECK(script.run());
  CHECK(fed.held == 1);
}

TEST_CASE("run feed: output that engines died of is recorded, marked, and left alone", "[engine]") {
  RingKeeper keeper;
  keeper.shared->fate.suspects[0] = {.stream = 0, .begin = 5, .end = 11, .blame = run::kEnoughBlame};
  Loop loop;
  Fed fed{loop, keeper};
  keeper.print("good\npoison good\n");
  fed.feed.start();
  test::LoopScript script{loop};
  script.when([&] { return fed.output == "good\npoison good\n"; });
  CHECK(script.run());
  CHECK(fed.unread == std::vector{false, true, false});
  REQUIRE(fed.notes.size() == 1);
  CHECK(fed.notes[0].starts_with("6 bytes of output, from byte 5 on, are recorded but neither shown nor parsed"));
}

TEST_CASE("run feed: output of the next launch is published after that of the one before", "[engine]") {
  RingKeeper keeper;
  Loop loop;
  Fed fed{loop, keeper};
  fed.feed.start();
  keeper.print("old ");
  keeper.shared->launched_at[0] = 4;
  keeper.shared->launches = 2;
  keeper.print("new");
  test::LoopScript script{loop};
  script.when([&] { return fed.output == "old new"; });
  CHECK(script.run());
  CHECK(fed.relaunched == std::vector<std::string>{"old "});
}

}  // namespace
}  // namespace gputop
