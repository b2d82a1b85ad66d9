// Recordings store time in milliseconds.
#pragma once

#include <chrono>
#include <cstdint>

#include "gputop/core/time.hpp"

namespace gputop::store {

inline std::int64_t to_milliseconds(Instant at) {
  return std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

// A damaged or hostile file may contain any number. The difference of two valid ones fits a Duration.
inline bool is_time(std::int64_t milliseconds) {
  constexpr auto kMost = std::chrono::duration_cast<std::chrono::milliseconds>(kLongestDuration).count();
  return milliseconds > -kMost && milliseconds < kMost;
}
inline Instant from_milliseconds(std::int64_t milliseconds) {
  return Instant{std::chrono::milliseconds{is_time(milliseconds) ? milliseconds : 0}};
}

}  // namespace gputop::store
