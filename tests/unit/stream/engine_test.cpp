#include "gputop/stream/engine.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gputop/sources/host_source.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// A source that answers each tick at once, and whose sink the test may call later.
class ScriptedSource final : public Source {
 public:
  struct Seen {
    int ticks = 0;
    bool stopped = false;
    Sink sink;
  };
  explicit ScriptedSource(std::shared_ptr<Seen> seen) : seen_(std::move(seen)) {}

  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  void start(Instant, Sink sink) override { seen_->sink = std::move(sink); }
  void tick(Instant now) override {
    ++seen_->ticks;
    GpuReading gpu;
    gpu.utilization = Percent{static_cast<double>(seen_->ticks)};
    seen_->sink({now, GpusSampled{{gpu}}});
  }
  void stop() override { seen_->stopped = true; }

 private:
  std::shared_ptr<Seen> seen_;
};

struct Stream {
  std::shared_ptr<ScriptedSource::Seen> seen = std::make_shared<ScriptedSource::Seen>();
  Loop loop;
  Engine engine{loop, 1ms, std::make_unique<ScriptedSource>(seen), nullptr};
};

Event noted(const std::string& text) {
  return {Instant{}, Noted{Noted::Severity::kInfo, text}};
}

TEST_CASE("stream: the Model has an event before anybody is told, and listeners are told in order") {
  Stream stream;
  std::vector<std::string> told;
  const auto first = stream.engine.listen([&](const Event&, const Model& model) {
    told.push_back("first " + model.log.back().text);
  });
  auto second = stream.engine.listen([&](const Event&, const Model&) { told.emplace_back("second"); });
  stream.engine.publish(noted("a"));
  CHECK(told == std::vector<std::string>{"first a", "second"});
  second.reset();
  stream.engine.publish(noted("b"));
  CHECK(told == std::vector<std::string>{"first a", "second", "first b"});
}

TEST_CASE("stream: the source is asked again and again, and its answers are events") {
  Stream stream;
  int readings = 0;
  const auto subscription = stream.engine.listen([&](const Event& event, const Model& model) {
    if (!std::holds_alternative<GpusSampled>(event.payload)) return;
    REQUIRE(model.gpus.size() == 1);
    CHECK(model.gpus.front().now.utilization == Percent{static_cast<double>(++readings)});
    if (readings == 3) stream.loop.stop();
  });
  stream.engine.start();
  stream.loop.run();
  CHECK(readings == 3);
}

TEST_CASE("stream: what another thread has said is dropped when the stream is gone") {
  auto seen = std::make_shared<ScriptedSource::Seen>();
  Loop loop;
  {
    Engine engine{loop, 1h, std::make_unique<ScriptedSource>(seen), nullptr};
    engine.start();
    std::thread late{[&] { seen->sink(noted("late")); }};
    late.join();
  }
  CHECK(seen->stopped);
  loop.post([&] { loop.stop(); });
  loop.run();  // what was posted finds nobody
}

TEST_CASE("stream: a past that comes late is put below what came meanwhile") {
  Stream stream;
  Model past;
  update(past, noted("long ago"));
  stream.engine.expect_past();
  stream.engine.publish(noted("just now"));
  stream.engine.adopt(std::move(past));
  const auto& log = stream.engine.model().log;
  REQUIRE(log.size() == 2);
  CHECK(log.front().text == "long ago");
  CHECK(log.back().text == "just now");
}

TEST_CASE("stream: what an earlier engine saw is in the Model, and nobody is told") {
  Stream stream;
  int told = 0;
  const auto listening = stream.engine.listen([&](const Event&, const Model&) { ++told; });
  stream.engine.restore(noted("before"));
  CHECK(told == 0);
  REQUIRE(stream.engine.model().log.size() == 1);
  CHECK(stream.engine.model().log.front().text == "before");
}

TEST_CASE("stream: what a source says on a thread of its own is heard on the loop's") {
  Stream stream;
  std::thread::id heard_on;
  const auto listening = stream.engine.listen([&](const Event& event, const Model&) {
    if (!std::holds_alternative<Noted>(event.payload)) return;
    heard_on = std::this_thread::get_id();
    stream.loop.stop();
  });
  stream.engine.start();
  std::thread other{[&] { stream.seen->sink(noted("from elsewhere")); }};
  stream.loop.run();
  other.join();
  CHECK(heard_on == std::this_thread::get_id());
}

TEST_CASE("stream: a listener may leave, and another come, while they are told") {
  Stream stream;
  std::vector<std::string> told;
  Engine::Subscription late;
  Engine::Subscription first;
  first = stream.engine.listen([&](const Event&, const Model&) {
    told.emplace_back("first");
    late = stream.engine.listen([&](const Event&, const Model&) { told.emplace_back("late"); });
    first.reset();
  });
  const auto last = stream.engine.listen([&](const Event&, const Model&) { told.emplace_back("last"); });
  stream.engine.publish(noted("a"));
  CHECK(told == std::vector<std::string>{"first", "last"});
  stream.engine.publish(noted("b"));
  CHECK(told == std::vector<std::string>{"first", "last", "last", "late"});
}

}  // namespace
}  // namespace gputop
