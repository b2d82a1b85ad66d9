#include "gputop/app/memory_outlook.hpp"

#include <algorithm>

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr float kNearlyFull = 85;  // percent

Reading<Duration> full_in(const GpuTrack& track, Instant now, Duration look_back, std::size_t steps) {
  const auto columns = track.series.memory.columns(now - look_back, now + 1s, steps);
  if (!std::all_of(columns.begin(), columns.end(), [](const auto& column) { return column.has_value(); })) {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (columns[i]->mean() < columns[i - 1]->mean() + 0.05F) return std::nullopt;  // it does not grow all the time
  }
  // Growth that slows down is a cache or a warm-up; steady growth is a leak.
  const float first_half = columns[steps / 2]->mean() - columns.front()->mean();
  const float second_half = columns.back()->mean() - columns[steps / 2 - 1]->mean();
  if (second_half < 0.7F * first_half) return std::nullopt;
  const double full = static_cast<double>(columns.back()->max);
  const double per_second = (full - static_cast<double>(columns.front()->min)) / to_seconds(look_back);
  const double left = (100 - full) / per_second;
  if (!(per_second > 0) || left > (full >= 80 ? 600 : 180)) return std::nullopt;
  return from_seconds(std::max(0.0, left));
}

}  // namespace

Reading<Duration> memory_full_in(const GpuTrack& track, Instant now) {
  const auto last = track.series.memory.columns(now - 3s, now + 1s, 1);
  if (!last.empty() && last.front() && last.front()->max >= kNearlyFull) {
    if (const auto soon = full_in(track, now, 12s, 4)) return soon;
  }
  return full_in(track, now, 30s, 6);
}

}  // namespace gputop
