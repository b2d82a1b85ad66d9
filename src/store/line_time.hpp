// Recordings keep time in milliseconds.
#pragma once

#include <chrono>
#include <cstdint>

#include "gputop/core/time.hpp"

namespace gputop::store {

inline std::int64_t to_milliseconds(Instant at) {
  return std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

// 290 years of nanoseconds fit; a damaged or hostile file may name any number.
inline bool is_time(std::int64_t milliseconds) {
  return milliseconds > -9'000'000'000'000 && milliseconds < 9'000'000'000'000;
}
inline Instant from_milliseconds(std::int64_t milliseconds) {
  return Instant{std::chrono::milliseconds{is_time(milliseconds) ? milliseconds : 0}};
}

}  // namespace gputop::store
