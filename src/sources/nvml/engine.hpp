// State shared by the NVML source's threads. Every thread holds it by shared_ptr, because a thread that hangs inside
// the driver cannot be joined: it is abandoned, and everything it touches when it returns must still exist.
//
// Threads: the fast lane (opens NVML, reads at each tick, emits), one slow lane, and one that waits for Xids. If calls
// block, up to eight slow lanes share the GPUs. While a call does not return, a supervisor runs (the watchdog): it
// gives a lane whose call hangs a new thread, which continues with the next GPU. The old thread keeps its GPU until
// that answers again.
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

// One step of a lane's pass.
struct Step {
  enum class Kind : std::uint8_t {
    kOpen,        // load and initialize NVML
    kLookUp,      // look up one GPU's handle and name
    kFast,        // read one GPU's fast values
    kSlow,        // read one GPU's slow values
    kSettings,    // the same plus its settings
    kThroughput,  // read one GPU's PCIe throughput
  };
  Kind kind = Kind::kOpen;
  std::size_t gpu = 0;
};

struct Lane {
  explicit Lane(LaneKind lane_kind) : kind(lane_kind) {}

  const LaneKind kind;
  std::condition_variable wake;
  std::uint64_t generation = 0;  // of the thread that may run this lane; older threads are fenced off
  std::vector<Step> steps;       // of the current pass
  std::size_t next = 0;
  bool passing = false;
  std::optional<Step> current;  // the step inside NVML
  std::shared_ptr<Watch> watch = std::make_shared<Watch>();
  unsigned abandoned_in_pass = 0;
  Clock::time_point pass_began{};
  unsigned long_passes = 0;  // consecutive ones
  bool stuck = false;        // hangs, and too many threads are abandoned to start another

  // The supervisor's view: the lane's last progress, and when it was seen.
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

  // lanes.cpp: the threads that run a lane. Returns whether a thread could be started. The new thread waits for the
  // lock, which the caller holds.
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

  // visits.cpp: what a thread does at a step. Called with the lock held; releases it during NVML calls.
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

  // Emitting. The queue keeps the order of events noticed under the lock; flush() sends them without the lock.
  void queue(Payload payload);
  void queue_at(Instant at, Payload payload);
  void happen(const GpuSlot& slot, GpuHappened::Kind kind, std::string text, std::uint64_t code = 0);
  void queue_sample(Instant at);
  void flush(Lock& lock);
  [[nodiscard]] Instant instant_now() const;

  const NvmlOptions options_;

  std::mutex sink_mutex_;  // guards sink_; taken before mutex_, never while holding it
  Source::Sink sink_;

  std::mutex mutex_;                   // guards everything below
  std::condition_variable slow_rest_;  // a slow lane finished its pass
  std::condition_variable stop_wake_;  // for threads that wait for time to pass
  bool stopping_ = false;
  bool armed_ = false;  // the supervisor runs because there is something to watch
  std::deque<Event> outbox_;

  // Stream time: the last tick, and when it came on our own clock.
  Instant base_;
  Clock::time_point base_at_{};

  std::optional<Instant> last_tick_;
  std::optional<Instant> wanted_;  // the tick to answer
  std::optional<Instant> last_answered_;
  std::optional<Instant> answering_;  // the tick of the current pass
  std::optional<Instant> slow_started_;
  std::uint64_t slow_passes_ = 0;

  Session session_;
  bool open_ = false;
  bool open_hang_reported_ = false;
  std::string last_status_;
  std::optional<Clock::time_point> open_again_{Clock::time_point{}};  // nullopt: never
  std::deque<GpuSlot> slots_;
  std::uint64_t handles_version_ = 0;  // changes with any handle: events must then be registered again
  unsigned abandoned_ = 0;
  Lane fast_{LaneKind::kFast};
  std::deque<Lane> slow_;
};

}  // namespace gputop::nvml
