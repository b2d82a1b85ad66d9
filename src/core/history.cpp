#include "gputop/core/history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace gputop {
namespace {

using std::chrono::milliseconds;

constexpr auto kFurthest = milliseconds{std::numeric_limits<std::uint32_t>::max()};

}  // namespace

// The 32-bit millisecond offset overflows: move the beginning to the oldest point, or to this one if that is too old as
// well.
void History::begin_anew(Instant at) {
  if (!points_.empty()) {
    const auto passed = kept(0).after_ms;
    begin_ += milliseconds{passed};
    for (auto& point : points_) point.after_ms -= passed;
  }
  if (!points_.empty() && at - begin_ <= kFurthest) return;
  points_.clear();
  oldest_ = 0;
  begin_ = std::chrono::floor<milliseconds>(at);
}

void History::push(Instant at, double value, const Retention& retention) {
  if (capacity_ == 0) return;
  if (points_.empty() || at - begin_ > kFurthest) begin_anew(at);
  if (!points_.empty() && at < back().at + retention.pace * 9 / 10) {  // readings do not arrive exactly on time
    auto& newest = points_[(oldest_ + points_.size() - 1) % points_.size()];
    if (retention.peak) newest.value = std::max(newest.value, static_cast<float>(value));
    return;
  }
  const auto after = std::max(milliseconds{}, std::chrono::floor<milliseconds>(at - begin_));
  const Kept point{static_cast<std::uint32_t>(after.count()), static_cast<float>(value)};
  const bool expired = !points_.empty() && at - this->at(0).at > retention.span;
  if (points_.size() < capacity_ && !expired) return append(point);
  points_[oldest_] = point;
  if (++oldest_ == points_.size()) oldest_ = 0;
}

void History::append(Kept point) {
  std::rotate(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(oldest_), points_.end());
  oldest_ = 0;
  constexpr std::size_t kFirst = 16;
  const auto size = points_.size();
  if (size == points_.capacity()) points_.reserve(std::min(std::max(kFirst, size + size / 2), capacity_));
  points_.push_back(point);
}

const History::Kept& History::kept(std::size_t position) const {
  position += oldest_;
  return points_[position < points_.size() ? position : position - points_.size()];
}

Point History::at(std::size_t position) const {
  const auto& point = kept(position);
  return {begin_ + milliseconds{point.after_ms}, static_cast<double>(point.value)};
}

template <class Take>
void History::each(Instant from, Instant to, Take take) const {
  // The window is usually at the end, so search from there.
  std::size_t first = 0;
  for (std::size_t count = points_.size(); count > 0;) {
    const auto half = count / 2;
    if (at(first + half).at < from) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  for (; first < points_.size(); ++first) {
    const auto point = at(first);
    if (point.at > to) return;
    take(point);
  }
}

std::vector<Point> History::window(Instant from, Instant to) const {
  std::vector<Point> inside;
  each(from, to, [&](const Point& point) {
    if (inside.empty()) inside.reserve(points_.size());
    inside.push_back(point);
  });
  return inside;
}

std::optional<double> History::mean(Instant from, Instant to) const {
  double sum = 0;
  std::size_t count = 0;
  each(from, to, [&](const Point& point) {
    sum += point.value;
    ++count;
  });
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::optional<WindowStatistics> History::statistics(Instant from, Instant to) const {
  const auto points = window(from, to);
  if (points.empty()) return std::nullopt;
  std::vector<double> values;
  values.reserve(points.size());
  for (const auto& point : points) values.push_back(point.value);
  std::sort(values.begin(), values.end());
  return WindowStatistics{
      .count = values.size(),
      .mean = *gputop::mean(values),
      .min = values.front(),
      .max = values.back(),
      .p5 = percentile_of_sorted(values, 0.05),
      .p50 = percentile_of_sorted(values, 0.50),
      .p95 = percentile_of_sorted(values, 0.95),
      .slope_per_second = slope_per_second(points),
  };
}

}  // namespace gputop
