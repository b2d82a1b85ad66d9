// Time in the pure modules: it comes in with the event; nothing asks for it.
#pragma once

#include <algorithm>
#include <chrono>

namespace gputop {

// Monotonic time since the event stream began. Has no now() on purpose: edges create Instants from their own clock.
struct StreamClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<StreamClock>;
  static constexpr bool is_steady = true;
};
using Instant = StreamClock::time_point;
using Duration = StreamClock::duration;

// Wall-clock time, for display; may jump. Never compute rates from it.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

constexpr double to_seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}
// 142 years, so the sum of two still fits a Duration. Untrusted input may contain any number; NaN is no time.
inline constexpr Duration kLongestDuration = std::chrono::seconds{4'500'000'000};
constexpr Duration from_seconds(double s) {
  constexpr double kMost = 4.5e9;
  if (s != s) return {};
  return s >= kMost    ? kLongestDuration
         : s <= -kMost ? -kLongestDuration
                       : std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}
// Adds untrusted durations; the sum saturates at the longest one.
constexpr Duration add_span(Duration sum, Duration span) {
  return std::min(sum + std::clamp(span, Duration{}, kLongestDuration), kLongestDuration);
}
constexpr double to_seconds(Instant t) {
  return to_seconds(t.time_since_epoch());
}
constexpr Instant at_seconds(double s) {
  return Instant{from_seconds(s)};
}

}  // namespace gputop
