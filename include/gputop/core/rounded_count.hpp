// Compares counts that may have been rounded for printing ("124.44M").
#pragma once

#include <algorithm>
#include <cstdint>

namespace gputop {

// Small counts must be equal. For large ones, one may be the other rounded to two or more digits.
constexpr bool is_same_count(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLarge = 10'000;
  const auto [less, more] = std::minmax(a, b);
  return less == more || (more >= kLarge && more - less <= more / 100);
}

}  // namespace gputop
