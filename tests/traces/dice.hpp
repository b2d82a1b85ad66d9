// Seeded numbers that are the same everywhere (the standard library's distributions are not).
#pragma once

#include <cmath>
#include <cstdint>

namespace gputop::traces {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 0x1234567U) {}

  double unit() {  // 0 … 1
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1p-53;
  }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double spread(double low, double high) { return low * std::pow(high / low, unit()); }  // even over magnitudes
  unsigned pick(unsigned count) { return static_cast<unsigned>(unit() * count) % count; }
  bool chance(double share) { return unit() < share; }
  double noise(double share) { return 1 + share * (unit() + unit() + unit() - 1.5) / 1.5; }

 private:
  std::uint64_t state_;
};

}  // namespace gputop::traces
