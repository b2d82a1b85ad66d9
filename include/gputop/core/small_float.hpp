// A number that is not negative in two bytes: 11 significant bits (whole numbers up to 2048 are exact, others within
// 0.05 %), from 2^-22 to 2^41. For histories, of which there are many.
#pragma once

#include <bit>
#include <cstdint>

namespace gputop {

class SmallFloat {
 public:
  constexpr SmallFloat() = default;
  // What is too small, negative or no number becomes 0; what is too large the largest there is.
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
