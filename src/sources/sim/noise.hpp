// Noise that depends only on its arguments: the same simulation at the same time gives the same readings.
#pragma once

#include <cstdint>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop {

class Noise {
 public:
  Noise(std::string_view scenario, unsigned gpu) : seed_(gpu + 1) {
    for (const char c : scenario) seed_ = mix(seed_ ^ static_cast<unsigned char>(c));
  }

  // −1 … 1, mostly near 0; each `channel` is a separate sensor.
  [[nodiscard]] double at(Instant now, unsigned channel) const {
    const auto base = mix(seed_ ^ static_cast<std::uint64_t>(now.time_since_epoch().count())) + channel;
    double sum = 0;
    for (std::uint64_t i = 0; i < 3; ++i) sum += static_cast<double>(mix(base + (i << 32U)) >> 11U) * 0x1p-53;
    return sum * 2 / 3 - 1;
  }

 private:
  // splitmix64's finisher.
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }

  std::uint64_t seed_;
};

}  // namespace gputop
