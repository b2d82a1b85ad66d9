// Rates from kernel counters. A counter that went backwards (reset, wrapped, another device) gives no rate.
#pragma once

#include <chrono>
#include <cstdint>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop::host {

// The kernel counts CPU time in steps of 10 ms. A rate over a shorter window is noise, so the last one is kept.
inline constexpr Duration kShortestWindow = std::chrono::milliseconds{50};

inline Reading<std::uint64_t> growth(std::uint64_t before, std::uint64_t after) {
  if (after < before) return std::nullopt;
  return after - before;
}

inline Reading<double> per_second(std::uint64_t before, std::uint64_t after, Duration elapsed) {
  const auto grown = growth(before, after);
  if (!grown || elapsed <= Duration::zero()) return std::nullopt;
  return static_cast<double>(*grown) / to_seconds(elapsed);
}

inline Reading<double> per_second(const Reading<std::uint64_t>& before,
                                  const Reading<std::uint64_t>& after,
                                  Duration elapsed) {
  if (!before || !after) return std::nullopt;
  return per_second(*before, *after, elapsed);
}

template <class Quantity>
Reading<Quantity> rate(const Reading<std::uint64_t>& before, const Reading<std::uint64_t>& after, Duration elapsed) {
  const auto value = per_second(before, after, elapsed);
  if (!value) return std::nullopt;
  return Quantity{*value};
}

}  // namespace gputop::host
