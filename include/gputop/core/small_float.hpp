// A non-negative number in two bytes: 11 significant bits (whole numbers up to 2048 are exact, others within 0.05 %),
// from 2^-22 to 2^41. For histories, which are numerous.
#pragma once

#include <bit>
#include <cstdint>

namespace gputop {

class SmallFloat {
 public:
  constexpr SmallFloat() = default;
  // Values that are too small, negative or NaN become 0; values that are too large become the largest one.
  constexpr explicit SmallFloat(float value) {
    if (!(value > 0)) return;
    const std::uint32_t rounded = (std::bit_cast<std::uint32_t>(value) + kHalf) >> kDropped;
    if (rounded <= kLeast) return;
    bits_ = rounded - kLeast < kMost ? static_cast<std::uint16_t>(rounded - kLeast) : kMost;
  }

  [[nodiscard]] constexpr float value() const {
    return bits_ == 0 ? 0.0F : std::bit_cast<float>((bits_ + kLeast) << kDropped);
  }
  auto operator<=>(const SmallFloat&) const = default;

 private:
  static constexpr unsigned kDropped = 13;  // bits of a float's fraction
  static constexpr std::uint32_t kHalf = 1U << (kDropped - 1);
  static constexpr std::uint32_t kLeast = (127U - 22U) << 10U;  // a float's exponent and the rest of its fraction
  static constexpr std::uint16_t kMost = 0xFFFF;

  std::uint16_t bits_ = 0;
};

}  // namespace gputop
