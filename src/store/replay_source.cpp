#include "gputop/store/replay_source.hpp"

#include <algorithm>

namespace gputop {

ReplaySource::ReplaySource(RecordingReader reader, double speed) : reader_(std::move(reader)), speed_(speed) {}

void ReplaySource::start(Instant now, Sink sink) {
  sink_ = std::move(sink);
  last_tick_ = now;
}

void ReplaySource::stop() {
  sink_ = nullptr;
}

void ReplaySource::pause(bool paused) {
  paused_ = paused;
}

void ReplaySource::seek(Instant to) {
  reader_.seek(to);
  position_ = to;
  waiting_ = false;
  finished_ = false;
}

void ReplaySource::advance(Instant now) {
  const Duration passed = now - last_tick_;
  last_tick_ = now;
  if (paused_ || !position_) return;
  *position_ += std::chrono::duration_cast<Duration>(std::chrono::duration<double>{passed} * speed_);
}

void ReplaySource::tick(Instant now) {
  if (!sink_) return;
  advance(now);
  for (std::size_t emitted = 0; emitted < kBatch; ++emitted) {
    if (!waiting_) {
      next_ = reader_.next();
      waiting_ = next_ != nullptr;
      finished_ = next_ == nullptr;
    }
    if (finished_) return;
    // A recording need not begin at 0; playback starts where it does.
    if (!position_) position_ = next_->at;
    const bool unhurried = speed_ > kAsFastAsPossible || paused_;
    if (unhurried && next_->at > *position_) return;
    position_ = std::max(*position_, next_->at);
    waiting_ = false;
    sink_(*next_);
  }
}

std::unique_ptr<ReplaySource> make_replay_source(RecordingReader reader, double speed) {
  return std::make_unique<ReplaySource>(std::move(reader), speed);
}

}  // namespace gputop
