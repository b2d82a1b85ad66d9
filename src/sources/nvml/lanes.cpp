// How threads run a lane: see engine.hpp.
#include <algorithm>
#include <utility>

#include "gputop/sources/detached_thread.hpp"
#include "sources/nvml/crash_guard.hpp"
#include "sources/nvml/engine.hpp"

namespace gputop::nvml {
namespace {

constexpr std::size_t kMostSlowLanes = 8;
// A pass this long means that calls block while the driver samples: share the GPUs among more lanes.
constexpr std::chrono::milliseconds kLongPass{150};
constexpr unsigned kLongPasses = 2;  // a single one may just be a busy machine
constexpr std::chrono::seconds kProbePause{1};
// Ticks closer together than this never wait for the slow lane.
constexpr std::chrono::milliseconds kQuickTicks{500};

}  // namespace

// Called with the lock held. The new thread's generation replaces the old one's: a thread that returns from a hanging
// call with an old generation must not touch the lane.
bool Engine::spawn(Lane& lane) {
  const auto generation = lane.generation + 1;
  auto watch = std::make_shared<Watch>();
  if (!start_detached([self = shared_from_this(), &lane, generation, watch] { self->walk(lane, generation, watch); })) {
    return false;
  }
  lane.generation = generation;
  lane.watch = std::move(watch);
  lane.current.reset();
  lane.seen_progress = 0;
  lane.seen_at = Clock::now();
  return true;
}

// The body of a lane's thread. The lock is held except inside visit(), finish_fast_pass() and flush().
void Engine::walk(Lane& lane, std::uint64_t generation, const std::shared_ptr<Watch>& watch) {
  const GuardedThread guarded{*watch};
  Lock lock{mutex_};
  while (!stopping_) {
    if (!lane.passing && lane.kind == LaneKind::kFast) begin_fast_pass(lock);
    if (!lane.passing) {
      lane.wake.wait(lock);
      continue;
    }
    while (lane.next < lane.steps.size() && !stopping_) {
      const Step step = lane.steps[lane.next++];
      // A GPU that hangs in this lane is skipped: the abandoned thread probes it.
      if (step.kind != Step::Kind::kOpen && slots_[step.gpu].hang(lane.kind)) continue;
      lane.current = step;
      visit(lock, step, *watch);
      // Abandoned during the visit: another thread walks the lane now. This one stays with the GPU.
      if (lane.generation != generation) {
        probe(lock, step, lane.kind, *watch);
        return;
      }
      lane.current.reset();
      if (lane.stuck) unstick(lane);
      flush(lock);
    }
    if (stopping_) return;
    if (lane.kind == LaneKind::kFast) finish_fast_pass(lock, generation);
    if (lane.generation != generation) return;
    lane.passing = false;
    const bool answered = lane.abandoned_in_pass == 0;
    lane.abandoned_in_pass = 0;
    if (lane.kind == LaneKind::kSlow) {
      const bool took_long = answered && Clock::now() - lane.pass_began > kLongPass;
      lane.long_passes = took_long ? lane.long_passes + 1 : 0;
      if (lane.long_passes >= kLongPasses) add_slow_lanes(2 * slow_.size());
      lock.unlock();  // the fast lane may be waiting for this and needs the lock next
      slow_rest_.notify_all();
      lock.lock();
    }
  }
}

// The fast lane opens NVML if it is not open, and answers ticks if it is.
void Engine::begin_fast_pass(Lock& lock) {
  fast_.steps.clear();
  fast_.next = 0;
  answering_.reset();
  if (!open_) {
    // The first time at once, later only on a tick, because nobody needs it otherwise.
    const bool first = open_again_ == Clock::time_point{};
    if (!open_again_ || (!first && (!wanted_ || Clock::now() < *open_again_))) return;
    fast_.steps.push_back({Step::Kind::kOpen, 0});
    arm();
  } else if (wanted_) {
    answering_ = std::exchange(wanted_, std::nullopt);
    for (std::size_t gpu = 0; gpu < slots_.size(); ++gpu) fast_.steps.push_back({Step::Kind::kFast, gpu});
  }
  fast_.passing = !fast_.steps.empty();
  if (answering_ && slow_pass_is_due(*answering_)) {
    begin_slow_pass(*answering_);
    lock.unlock();
    wake_slow_lanes();
    lock.lock();
  }
}

// Answers the tick. Waits for the slow lanes within limits: a first reading may, quick ticks never do.
void Engine::finish_fast_pass(Lock& lock, std::uint64_t generation) {
  if (open_ && slow_.empty()) start_slow_lanes();
  if (!answering_) return;
  auto wait = options_.first_reading_waits;
  if (last_answered_) {
    wait = *answering_ - *last_answered_ < kQuickTicks ? std::chrono::milliseconds{0} : options_.later_readings_wait;
  }
  slow_rest_.wait_for(lock, wait, [&] { return stopping_ || fast_.generation != generation || slow_lanes_rest(); });
  if (stopping_ || fast_.generation != generation) return;
  last_answered_ = answering_;
  queue_sample(*std::exchange(answering_, std::nullopt));
  flush(lock);
}

// A stuck lane counts as resting: its GPUs keep their last slow values.
bool Engine::slow_lanes_rest() const {
  return std::none_of(slow_.begin(), slow_.end(), [](const Lane& lane) { return lane.passing && !lane.stuck; });
}

// Starts once the GPUs are looked up. The first pass begins at once, so the first reading can include its results.
void Engine::start_slow_lanes() {
  add_slow_lanes(1);
  begin_slow_pass(base_);
  wake_slow_lanes();
  static_cast<void>(start_detached([self = shared_from_this()] { self->watch_events(); }));
}

// Doubles the lanes if passes take long, up to one lane per GPU and kMostSlowLanes.
void Engine::add_slow_lanes(std::size_t wanted) {
  const auto count = std::min({wanted, kMostSlowLanes, slots_.size()});
  while (slow_.size() < count && spawn(slow_.emplace_back(LaneKind::kSlow))) {
  }
  if (!slow_.empty() && slow_.back().generation == 0)
    slow_.pop_back();  // no thread could be started: the other lanes take its GPUs
  for (auto& lane : slow_) lane.long_passes = 0;
}

bool Engine::slow_pass_is_due(Instant now) const {
  const auto slack = options_.slow_period / 20;  // ticks are not exact
  return open_ && (!slow_started_ || now - *slow_started_ >= options_.slow_period - slack);
}

void Engine::wake_slow_lanes() {
  for (auto& lane : slow_) lane.wake.notify_all();
}

// Skips a lane that is still busy with its last pass. Throughput comes last: each call blocks while the driver samples.
void Engine::begin_slow_pass(Instant now) {
  slow_started_ = now;
  const auto kind = slow_passes_++ % options_.settings_every == 0 ? Step::Kind::kSettings : Step::Kind::kSlow;
  for (std::size_t i = 0; i < slow_.size(); ++i) {
    Lane& lane = slow_[i];
    if (lane.passing) continue;
    lane.steps.clear();
    lane.next = 0;
    for (const auto each : {kind, Step::Kind::kThroughput}) {
      for (std::size_t gpu = i; gpu < slots_.size(); gpu += slow_.size()) lane.steps.push_back({each, gpu});
    }
    lane.passing = true;
    lane.pass_began = Clock::now();
  }
}

// The abandoned thread of a call that hung. Once the call returns, the thread probes the GPU until it answers in time,
// so a GPU that hangs repeatedly blocks this thread and not the lane.
void Engine::probe(Lock& lock, const Step& step, LaneKind lane, Watch& watch) {
  while (!stopping_) {
    const auto begun = Clock::now();
    visit(lock, step, watch);
    if (Clock::now() - begun < options_.deadline / 2) break;
    stop_wake_.wait_for(lock, kProbePause, [&] { return stopping_; });
  }
  if (stopping_) return;
  --abandoned_;
  release(slots_[step.gpu], lane);
  flush(lock);
}

}  // namespace gputop::nvml
