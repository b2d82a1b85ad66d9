// The watchdog: notices that a lane hangs inside NVML, and gives it a new thread.
#include <utility>

#include "gputop/sources/detached_thread.hpp"
#include "sources/nvml/engine.hpp"

namespace gputop::nvml {

// Waking the watchdog for every reading would cost more than the reading, so it starts only if a call is still in
// progress at the next tick. If the next tick may be far away, it checks on its own.
void Engine::patrol_at_tick(Instant now) {
  constexpr Duration kSoon = std::chrono::milliseconds{1100};
  const auto clock = Clock::now();
  bool busy = !last_tick_ || now - *last_tick_ > kSoon;
  last_tick_ = now;
  busy |= check(fast_, clock);
  for (auto& lane : slow_) busy |= check(lane, clock);
  if (busy) arm();
}

// Something needs watching; otherwise the watchdog has no thread. If no thread can be started, ticks check instead.
void Engine::arm() {
  if (!armed_) armed_ = start_detached([self = shared_from_this()] { self->supervise(); });
}

// Runs only while some lane is inside NVML, and checks every `patrol`.
void Engine::supervise() {
  Lock lock{mutex_};
  while (!stopping_) {
    stop_wake_.wait_for(lock, options_.patrol, [&] { return stopping_; });
    if (stopping_) return;
    const auto now = Clock::now();
    bool busy = check(fast_, now);
    for (auto& lane : slow_) busy |= check(lane, now);
    armed_ = busy;
    flush(lock);
    if (!busy) return;  // arming it after this starts another one
  }
}

// Whether the lane is inside NVML.
bool Engine::check(Lane& lane, Clock::time_point now) {
  if (!lane.current) return false;
  if (const auto progress = lane.watch->progress(); progress != lane.seen_progress) {
    lane.seen_progress = progress;
    lane.seen_at = now;
    return true;
  }
  // If a second GPU hangs in one pass, probably the whole driver does: the other GPUs must not wait a second each.
  const auto deadline = lane.abandoned_in_pass == 0 ? options_.deadline : options_.deadline / 4;
  if (!lane.stuck && now - lane.seen_at >= deadline) abandon(lane, now);
  return true;
}

// Gives the lane a new thread and leaves the old one in its call. NVML has no way to cancel a call, and a thread inside
// the driver cannot be killed.
void Engine::abandon(Lane& lane, Clock::time_point now) {
  const Step step = *lane.current;
  const Hang hang{lane.seen_at, lane.watch->function(), true};
  if (step.kind == Step::Kind::kOpen) {  // nothing to continue with: wait for it
    if (open_hang_reported_) return;
    open_hang_reported_ = true;
    last_status_ = std::string{"NVML is not answering ("} + hang.function +
                   "); gputop keeps waiting. The driver may hang: the kernel's log (dmesg | grep NVRM) may say why";
    queue(SourceStatus{"nvml", SourceStatus::State::kUnavailable, last_status_, "", false, true});
    return;
  }
  // Reports a GPU as not answering once, whichever lane hangs first.
  const auto mark = [&](GpuSlot& slot, Hang with) {
    if (!slot.hangs_anywhere()) happen(slot, GpuHappened::Kind::kNotAnswering, not_answering(with, now));
    slot.hang(lane.kind) = with;
  };
  if (abandoned_ < options_.most_abandoned_threads && spawn(lane)) {
    mark(slots_[step.gpu], hang);
    ++abandoned_;
    ++lane.abandoned_in_pass;
    return;
  }
  // No more threads: the lane waits for this call, and so do all GPUs it would visit.
  lane.stuck = true;
  for (const auto& each : lane.steps) {
    if (!slots_[each.gpu].hang(lane.kind)) mark(slots_[each.gpu], {hang.since, hang.function, false});
  }
  slow_rest_.notify_all();
  if (lane.kind == LaneKind::kFast && answering_) {
    queue_sample(*answering_);
    answering_.reset();
  }
}

// The lane's own thread returned after all.
void Engine::unstick(Lane& lane) {
  lane.stuck = false;
  for (const auto& step : lane.steps) {
    auto& slot = slots_[step.gpu];
    if (slot.hang(lane.kind) && !slot.hang(lane.kind)->probed) {
      release(slot, lane.kind);
    }
  }
}

// The last hang of a GPU is over: reports that it answers again.
void Engine::release(GpuSlot& slot, LaneKind lane) {
  const auto since = slot.hang(lane)->since;
  slot.hang(lane).reset();
  if (slot.hangs_anywhere()) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since).count();
  happen(slot, GpuHappened::Kind::kAnswering, "answering again after " + std::to_string(seconds) + " s");
}

}  // namespace gputop::nvml
