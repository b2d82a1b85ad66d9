// Something that is done less often than there are ticks.
#pragma once

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop::host {

class Cadence {
 public:
  explicit Cadence(Duration period) : period_(period) {}

  // Whether it is to be done now: how long it has not been, 0 the first time.
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
