// The confidence interval of a mean, and whether two means differ. Uses blocks, because consecutive readings are not
// independent.
#pragma once

#include <span>

#include "gputop/core/block_series.hpp"
#include "gputop/core/reading.hpp"

namespace gputop {

// A mean and half of its 95 % interval. The interval is unknown with fewer than three blocks.
struct Estimated {
  double mean = 0;
  Reading<double> plus_minus;
};

// The mean of all readings in the blocks. The interval merges them to at most 20 blocks. Unknown without readings.
Reading<Estimated> estimated_mean(std::span<const Block> blocks);

// b against a: b − a, and b ÷ a − 1 (unknown if a is zero), each with half of its 95 % interval (Welch).
struct Difference {
  Estimated absolute;
  Reading<Estimated> relative;
  // Whether zero lies outside the interval; unknown without an interval.
  [[nodiscard]] Reading<bool> certain() const;
};
Reading<Difference> difference(std::span<const Block> a, std::span<const Block> b);

// The factor of a 95 % interval with this many degrees of freedom (Student's t); at least 1.
double student_t(double degrees);

}  // namespace gputop
