// Schedules work that is done less often than every tick.
#pragma once

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop::host {

class Cadence {
 public:
  explicit Cadence(Duration period) : period_(period) {}

  // Whether it is due now: returns the time since the last one, 0 the first time.
  Reading<Duration> due(Instant now) {
    if (last_ && now - *last_ < period_) return std::nullopt;
    const auto elapsed = last_ ? now - *last_ : Duration::zero();
    last_ = now;
    return elapsed;
  }

 private:
  Duration period_;
  Reading<Instant> last_;
};

}  // namespace gputop::host
