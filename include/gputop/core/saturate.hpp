// Converts untrusted numbers to integers. Casting a value that does not fit is undefined, and a log or a recording may
// contain 1e300 or nan.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace gputop {

// Truncates the fraction. Out-of-range values become the largest or smallest integer; NaN becomes 0.
template <std::integral T>
constexpr T saturate(double value) {
  using Limits = std::numeric_limits<T>;
  // 2⁶³ and 2⁶⁴ are exact doubles; the largest integers below them are not.
  constexpr double kEnd = static_cast<double>(Limits::max() / 2 + 1) * 2;
  if (value != value) return 0;
  if (value >= kEnd) return Limits::max();
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<T>(value);
}

// The same, rounded to the nearest integer.
template <std::integral T>
T saturate_rounded(double value) {
  return saturate<T>(std::round(value));
}

}  // namespace gputop
