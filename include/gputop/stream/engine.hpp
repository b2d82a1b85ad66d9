// The engine: asks the sources at each tick, keeps the Model, and passes every event to the listeners.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/core/source.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

class HostSource;

// Lives on the loop's thread. The destructor stops the sources.
class Engine {
 public:
  using Listener = std::function<void(const Event&, const Model&)>;

  // host may be null (a replay has its own host readings).
  Engine(Loop& loop, Duration interval, std::unique_ptr<Source> gpus, std::unique_ptr<HostSource> host);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Called in the order they were added, after the Model was updated, until the returned handle is destroyed.
  using Subscription = std::shared_ptr<void>;
  [[nodiscard]] Subscription listen(Listener listener);

  void start();
  // More processes to follow with their descendants, queried at each tick: the run's daemons.
  void follow(std::function<std::vector<std::int64_t>()> roots) { more_roots_ = std::move(roots); }
  void set_interval(Duration interval);
  // Call before start().
  void set_advisor(AdvisorSettings settings) { model_.advice.advisor = Advisor{std::move(settings)}; }
  void publish(Event event);
  // What an earlier engine of this stream saw: updates only the Model, not the listeners.
  void restore(const Event& event) { update(model_, event); }
  // A Model of the time before the first event here is being read: events are kept until adopt() adds them to it.
  void expect_past();
  void adopt(Model past);

  // Reads the host completely now: see HostSource::tick_all.
  void read_host();

  // It reads this machine; false: it plays a recording.
  [[nodiscard]] bool live() const { return host_ != nullptr; }
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] Duration interval() const { return interval_; }

 private:
  void tick();
  void keep(const Event& event);
  void arm();
  void watch_processes();
  void follow_wall_clock();
  void announce_advice();
  void read(const Event& event);
  void read_the_host(Instant now);
  // A part that failed or took too long stays disabled for the rest of the stream.
  void switch_off(bool& off, const std::string& what, const std::string& why);
  Source::Sink sink();

  Loop& loop_;
  std::thread::id thread_ = std::this_thread::get_id();  // the loop's
  Duration interval_;
  std::unique_ptr<Source> gpus_;
  std::unique_ptr<HostSource> host_;
  std::unique_ptr<Loop::Timer> timer_;
  Instant next_;
  std::vector<std::weak_ptr<Listener>> listeners_;
  std::function<std::vector<std::int64_t>()> more_roots_;
  Model model_;
  std::vector<Finding> announced_;
  std::uint64_t announced_revision_ = 0;
  bool output_off_ = false;
  bool lens_off_ = false;
  bool advice_off_ = false;
  bool host_off_ = false;
  int slow_readings_ = 0;  // consecutive ones, of the host
  struct Since {
    std::vector<Event> events;
    std::size_t bytes = 0;
  };
  std::optional<Since> since_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // tells late posts that the engine is gone
};

}  // namespace gputop
