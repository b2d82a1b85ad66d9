#include "gputop/core/history.hpp"

#include <algorithm>

namespace gputop {

void History::push(Instant at, double value) {
  if (capacity_ == 0) return;
  if (points_.size() == capacity_) points_.pop_front();
  points_.push_back({at, value});
}

std::vector<Point> History::window(Instant from, Instant to) const {
  std::vector<Point> inside;
  // The window is at the end as a rule: what lies before it is not looked at.
  const auto begin = std::partition_point(points_.begin(), points_.end(), [&](const Point& point) { return point.at < from; });
  inside.reserve(static_cast<std::size_t>(points_.end() - begin));
  for (auto point = begin; point != points_.end() && point->at <= to; ++point) inside.push_back(*point);
  return inside;
}

std::optional<WindowStatistics> History::statistics(Instant from, Instant to) const {
  const auto points = window(from, to);
  if (points.empty()) return std::nullopt;
  std::vector<double> values;
  values.reserve(points.size());
  for (const auto& point : points) values.push_back(point.value);
  std::sort(values.begin(), values.end());  // once: what is sorted already is sorted again for next to nothing
  return WindowStatistics{
      .count = values.size(),
      .mean = *mean(values),
      .min = values.front(),
      .max = values.back(),
      .p5 = *percentile(values, 0.05),
      .p50 = *percentile(values, 0.50),
      .p95 = *percentile(values, 0.95),
      .slope_per_second = slope_per_second(points),
  };
}

}  // namespace gputop
