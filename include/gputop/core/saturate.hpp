// Numbers that others gave, as whole ones: a cast of what does not fit is undefined, and a log or a recording may say
// 1e300 or nan.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace gputop {

// The fraction is cut off; what is too large or too small becomes the largest or the smallest there is, no number
// becomes 0.
template <std::integral T>
constexpr T saturate(double value) {
  using Limits = std::numeric_limits<T>;
  // 2⁶³ and 2⁶⁴ are doubles, the largest integers below them are not.
  constexpr double kEnd = static_cast<double>(Limits::max() / 2 + 1) * 2;
  if (value != value) return 0;
  if (value >= kEnd) return Limits::max();
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<T>(value);
}

// The same to the nearest.
template <std::integral T>
T saturate_rounded(double value) {
  return saturate<T>(std::round(value));
}

}  // namespace gputop
