// Units as types: a number with its unit. Converted once, at the edge that reads it.
#pragma once

#include <compare>
#include <cstdint>

namespace gputop {

// A value of one dimension. Only quantities of the same dimension add and compare; a ratio is a plain number.
template <class Tag, class Rep>
class Quantity {
 public:
  using rep = Rep;

  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : value_(value) {}

  [[nodiscard]] constexpr Rep value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double k) {
    return Quantity{static_cast<Rep>(static_cast<double>(a.value_) * k)};
  }
  // a ÷ b. Requires b != 0.
  friend constexpr double operator/(Quantity a, Quantity b) {
    return static_cast<double>(a.value_) / static_cast<double>(b.value_);
  }

 private:
  Rep value_{};
};

using Bytes = Quantity<struct BytesTag, std::uint64_t>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
using Percent = Quantity<struct PercentTag, double>;
using Celsius = Quantity<struct CelsiusTag, double>;
using Watts = Quantity<struct WattsTag, double>;
using Joules = Quantity<struct JoulesTag, double>;
using Megahertz = Quantity<struct MegahertzTag, double>;

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) {
  return Bytes{n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return Bytes{n << 10U};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return Bytes{n << 20U};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
  return Bytes{n << 30U};
}
constexpr Percent operator""_percent(unsigned long long n) {
  return Percent{static_cast<double>(n)};
}
constexpr Celsius operator""_celsius(unsigned long long n) {
  return Celsius{static_cast<double>(n)};
}
constexpr Watts operator""_W(unsigned long long n) {
  return Watts{static_cast<double>(n)};
}
constexpr Watts operator""_W(long double n) {
  return Watts{static_cast<double>(n)};
}
constexpr Megahertz operator""_MHz(unsigned long long n) {
  return Megahertz{static_cast<double>(n)};
}
}  // namespace literals

// part of whole, in percent. Requires whole != 0.
constexpr Percent percent_of(Bytes part, Bytes whole) {
  return Percent{part / whole * 100.0};
}

}  // namespace gputop
