// How fast a run was early on, in the best part of its first half minute: a first epoch may be over after ten seconds.
#pragma once

#include <array>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

class EarlyRate {
 public:
  static constexpr std::size_t kParts = 4;

  void add(Instant at, const Reading<double>& steps, const Reading<double>& samples);
  void reset() { *this = {}; }
  // The median of each part, the largest of them. Unknown until the time after it is as long.
  [[nodiscard]] Reading<double> steps(Instant at) const { return of(&Part::steps, at); }
  [[nodiscard]] Reading<double> samples(Instant at) const { return of(&Part::samples, at); }

 private:
  struct Part {
    std::vector<double> steps;
    std::vector<double> samples;
  };
  [[nodiscard]] Reading<double> of(std::vector<double> Part::*rates, Instant at) const;

  Reading<Instant> first_;
  std::array<Part, kParts> parts_;
};

}  // namespace gputop
