// What the NVML source's threads share. Every thread holds it by shared_ptr, because one that hangs inside the driver
// cannot be joined: it is left behind, and whatever it touches when it comes back must still be there.
//
// Threads: the fast lane (opens NVML, reads each tick, emits), a slow lane, and the one that waits for Xids. Where calls
// block, the GPUs are shared among up to eight slow lanes; while one does not come back, there is a supervisor (watchdog). A lane whose call hangs is given a new thread, which goes on
// with the next GPU; the old one keeps that GPU until it answers again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gputop/core/source.hpp"
#include "gputop/sources/nvml_source.hpp"
#include "sources/nvml/gpu_slot.hpp"

namespace gputop::nvml {

// One stop on a lane's way.
struct Step {
  enum class Kind : std::uint8_t {
    kOpen,        // load and initialise NVML
    kLookUp,      // one GPU's handle and name
    kFast,        // one GPU's fast readings
    kSlow,        // one GPU's slow readings
    kSettings,    // the same with its settings
    kThroughput,  // one GPU's PCIe throughput
  };
  Kind kind = Kind::kOpen;
  std::size_t gpu = 0;
};

struct Lane {
  explicit Lane(LaneKind lane_kind) : kind(lane_kind) {}

  const LaneKind kind;
  std::condition_variable wake;
  std::uint64_t generation = 0;  // of the thread that may walk this lane; older ones are fenced off
  std::vector<Step> steps;       // of the pass under way
  std::size_t next = 0;
  bool passing = false;
  std::optional<Step> current;  // inside NVML
  std::shared_ptr<Watch> watch = std::make_shared<Watch>();
  unsigned abandoned_in_pass = 0;
  Clock::time_point pass_began{};
  unsigned long_passes = 0;  // one after the other
  bool stuck = false;  // hangs, and there are too many threads left behind to start another

  // The supervisor's view: how far the lane was, and since when.
  std::uint64_t seen_progress = 0;
  Clock::time_point seen_at{};
};

class Engine : public std::enable_shared_from_this<Engine> {
 public:
  explicit Engine(NvmlOptions options) : options_(std::move(options)) {}

  void start(Instant now, Source::Sink sink);
  void tick(Instant now);
  void stop();

 private:
  using Lock = std::unique_lock<std::mutex>;

  // lanes.cpp: threads that walk a lane.
  // Says whether there was a thread to be had. The new thread waits for the lock that the caller holds.
  bool spawn(Lane& lane);
  void walk(Lane& lane, std::uint64_t generation, const std::shared_ptr<Watch>& watch);
  void begin_fast_pass(Lock& lock);
  void finish_fast_pass(Lock& lock, std::uint64_t generation);
  void start_slow_lanes();
  void add_slow_lanes(std::size_t wanted);
  [[nodiscard]] bool slow_pass_is_due(Instant now) const;
  void begin_slow_pass(Instant now);
  void wake_slow_lanes();
  void probe(Lock& lock, const Step& step, LaneKind lane, Watch& watch);
  [[nodiscard]] bool slow_lanes_rest() const;

  // visits.cpp: what a thread does at a step. Called with the lock held; it is released while NVML is called.
  void visit(Lock& lock, const Step& step, Watch& watch);
  void visit_open(Lock& lock, Watch& watch);
  void visit_look_up(Lock& lock, GpuSlot& slot, Watch& watch);
  void visit_fast(Lock& lock, GpuSlot& slot, Watch& watch);
  void visit_slow(Lock& lock, GpuSlot& slot, Watch& watch, Step::Kind kind);
  void lose(GpuSlot& slot, const std::string& call);
  // Why the GPUs cannot be read although NVML answers.
  std::optional<Unavailable> opened();

  // supervisor.cpp: the watchdog.
  void supervise();
  void patrol_at_tick(Instant now);
  void arm();
  bool check(Lane& lane, Clock::time_point now);
  void abandon(Lane& lane, Clock::time_point now);
  void release(GpuSlot& slot, LaneKind lane);
  void unstick(Lane& lane);

  // events.cpp: Xids and ECC errors.
  void watch_events();

  // Emitting. The queue keeps the order of events that were noticed under the lock; flush() sends them without it.
  void queue(Payload payload);
  void queue_at(Instant at, Payload payload);
  void happen(const GpuSlot& slot, GpuHappened::Kind kind, std::string text, std::uint64_t code = 0);
  void queue_sample(Instant at);
  void flush(Lock& lock);
  [[nodiscard]] Instant instant_now() const;

  const NvmlOptions options_;

  std::mutex sink_mutex_;  // guards sink_; taken before mutex_, never while holding it
  Source::Sink sink_;

  std::mutex mutex_;  // guards all below
  std::condition_variable slow_rest_;  // a slow lane ended its pass
  std::condition_variable stop_wake_;  // whoever waits for time to pass
  bool stopping_ = false;
  bool armed_ = false;  // the supervisor is there: it has something to watch
  std::deque<Event> outbox_;

  // The stream's time: the last tick, and when that was by our own clock.
  Instant base_;
  Clock::time_point base_at_{};

  std::optional<Instant> last_tick_;
  std::optional<Instant> wanted_;  // the tick to answer
  std::optional<Instant> last_answered_;
  std::optional<Instant> answering_;  // of the pass under way
  std::optional<Instant> slow_started_;
  std::uint64_t slow_passes_ = 0;

  Session session_;
  bool open_ = false;
  bool open_hang_reported_ = false;
  std::string last_status_;
  std::optional<Clock::time_point> open_again_{Clock::time_point{}};  // nullopt: never
  std::deque<GpuSlot> slots_;
  std::uint64_t handles_version_ = 0;  // changes with any handle: events must be registered anew
  unsigned abandoned_ = 0;
  Lane fast_{LaneKind::kFast};
  std::deque<Lane> slow_;
};

}  // namespace gputop::nvml
