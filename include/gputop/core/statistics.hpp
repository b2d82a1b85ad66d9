// Statistics over a few numbers: exact, pure, no state.
#pragma once

#include <optional>
#include <span>

#include "gputop/core/time.hpp"

namespace gputop {

struct Point {
  Instant at;
  double value = 0;
  bool operator==(const Point&) const = default;
};

std::optional<double> mean(std::span<const double> values);
// Linear interpolation between order statistics; share in 0…1.
std::optional<double> percentile(std::span<const double> values, double share);
// The same for values that are already sorted. Requires at least one.
double percentile_of_sorted(std::span<const double> sorted, double share);
std::optional<double> median(std::span<const double> values);
// Median absolute deviation × 1.4826: a standard deviation that ignores outliers.
std::optional<double> robust_deviation(std::span<const double> values);
// Least squares, value per second; unknown with fewer than two distinct times.
std::optional<double> slope_per_second(std::span<const Point> points);

}  // namespace gputop
