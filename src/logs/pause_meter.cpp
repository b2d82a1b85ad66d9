#include "gputop/logs/pause_meter.hpp"

#include <algorithm>

namespace gputop {

void PauseMeter::validates(Instant at, bool over, bool progress) {
  if (!validation_since_) {
    validation_since_ = at;
    shown_ = false;
  }
  shown_ = shown_ || progress;
  validation_last_ = at;
  over_ = over;
}

void PauseMeter::saves(Instant at, bool done) {
  if (!done) {
    ++count_;
    saving_ = at;
    return;
  }
  // "Saving …" and "Saved …" are one.
  if (!just_ended_) {
    ++count_;
    const auto before = trained_ && line_ ? std::max(*trained_, *line_) : line_;
    if (before) saved_ += at - *before;
  }
  saved_at_ = at;
}

Duration PauseMeter::line(Instant at) {
  Duration took{};
  just_ended_ = saving_.has_value();
  if (saving_) {
    took = at - *saving_;
    saved_ += took;
    saved_at_ = at;
    saving_.reset();
  }
  line_ = at;
  return took;
}

void PauseMeter::trains(Instant at, const Reading<Duration>& steps) {
  const Duration shown = validation_since_ ? (over_ ? validation_last_ : at) - *validation_since_ : Duration{};
  if (steps && trained_ && (validation_since_ || saved_.count() > 0)) {
    const Duration rest = std::max(Duration{}, at - *trained_ - *steps);
    const Duration saved = std::min(saved_, std::max(Duration{}, rest - shown));
    checkpoints_ += saved;
    if (validation_since_) validation_ += std::max(shown, rest - saved);
  } else {
    checkpoints_ += saved_;
    validation_ += shown;
  }
  trained_ = at;
  validation_since_.reset();
  over_ = false;
  saved_ = {};
  saved_at_.reset();
}

Reading<Duration> PauseMeter::shown_validation(Instant at) const {
  if (!validation_since_ || !shown_) return std::nullopt;
  return (over_ ? validation_last_ : at) - *validation_since_;
}

Reading<Instant> PauseMeter::ended() const {
  Reading<Instant> end = saved_at_;
  if (validation_since_) {
    if (!over_) return std::nullopt;
    end = end ? std::max(*end, validation_last_) : validation_last_;
  }
  return end;
}

}  // namespace gputop
