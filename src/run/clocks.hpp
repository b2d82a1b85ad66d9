// The kernel's clocks as plain numbers, for shared memory. Never allocates.
#pragma once

#include <time.h>

#include <cstdint>

namespace gputop::run {

inline std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}
inline std::int64_t monotonic_ns() {
  return clock_ns(CLOCK_MONOTONIC);
}
inline std::int64_t monotonic_ms() {
  return monotonic_ns() / 1'000'000;
}
inline std::int64_t wall_ms() {
  return clock_ns(CLOCK_REALTIME) / 1'000'000;
}

}  // namespace gputop::run
