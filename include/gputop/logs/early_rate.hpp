// How fast a run was early on: the median of what was steady in its first half minute.
#pragma once

#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

class EarlyRate {
 public:
  void add(Instant at, const Reading<double>& steps, const Reading<double>& samples);
  void reset() { *this = {}; }
  // Unknown until the time after it is as long.
  [[nodiscard]] Reading<double> steps(Instant at) const { return of(steps_, at); }
  [[nodiscard]] Reading<double> samples(Instant at) const { return of(samples_, at); }

 private:
  [[nodiscard]] Reading<double> of(const std::vector<double>& rates, Instant at) const;

  Reading<Instant> first_;
  std::vector<double> steps_;
  std::vector<double> samples_;
};

}  // namespace gputop
