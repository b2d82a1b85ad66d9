#include "sources/nvml/engine.hpp"

#include <utility>

#include "gputop/sources/detached_thread.hpp"

namespace gputop::nvml {

void Engine::start(Instant now, Source::Sink sink) {
  {
    const std::lock_guard guard{sink_mutex_};
    sink_ = std::move(sink);
  }
  Lock lock{mutex_};
  base_ = now;
  base_at_ = Clock::now();
  arm();
  if (armed_ && spawn(fast_)) return;
  queue(SourceStatus{"nvml", SourceStatus::State::kUnavailable,
                     "no thread could be started to read the GPUs: raise the limit of processes (ulimit -u)", "",
                     false});
  flush(lock);
}

void Engine::tick(Instant now) {
  {
    Lock lock{mutex_};
    if (stopping_) return;
    patrol_at_tick(now);
    base_ = now;
    base_at_ = Clock::now();
    wanted_ = now;
    // The fast lane starts the slow ones, unless it is blocked itself.
    if (fast_.passing && slow_pass_is_due(now)) {
      begin_slow_pass(now);
      wake_slow_lanes();
    }
    if (fast_.stuck) {  // no other thread can answer
      queue_sample(now);
      wanted_.reset();
    }
    flush(lock);
  }
  fast_.wake.notify_all();  // without the lock, because the woken thread needs it
}

void Engine::stop() {
  {
    const std::lock_guard guard{mutex_};
    stopping_ = true;
    outbox_.clear();
    fast_.wake.notify_all();
    for (auto& lane : slow_) lane.wake.notify_all();
    slow_rest_.notify_all();
    stop_wake_.notify_all();
  }
  // NVML is never shut down: a call may still be inside it.
  const std::lock_guard guard{sink_mutex_};
  sink_ = nullptr;
}

Instant Engine::instant_now() const {
  return base_ + std::chrono::duration_cast<Duration>(Clock::now() - base_at_);
}

void Engine::queue(Payload payload) {
  queue_at(instant_now(), std::move(payload));
}

void Engine::queue_at(Instant at, Payload payload) {
  if (!stopping_) outbox_.push_back({at, std::move(payload)});
}

void Engine::happen(const GpuSlot& slot, GpuHappened::Kind kind, std::string text, std::uint64_t code) {
  queue(GpuHappened{slot.index, kind, code, std::move(text)});
}

void Engine::queue_sample(Instant at) {
  const auto now = Clock::now();
  GpusSampled sampled;
  sampled.gpus.reserve(slots_.size());
  for (const auto& slot : slots_) sampled.gpus.push_back(slot.reading(now, slot.slow));
  queue_at(at, std::move(sampled));
}

void Engine::flush(Lock& lock) {
  if (outbox_.empty()) return;
  lock.unlock();
  {
    // The thread that holds the sink sends the oldest event first, so two threads that flush at once cannot reorder
    // events.
    const std::lock_guard sending{sink_mutex_};
    for (;;) {
      std::optional<Event> event;
      {
        const std::lock_guard guard{mutex_};
        if (outbox_.empty()) break;
        event = std::move(outbox_.front());
        outbox_.pop_front();
      }
      if (sink_) sink_(std::move(*event));
    }
  }
  lock.lock();
}

}  // namespace gputop::nvml
