#include "gputop/core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace gputop {

double percentile_of_sorted(std::span<const double> sorted, double share) {
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + (sorted[above] - sorted[below]) * fraction;
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> percentile(std::span<const double> values, double share) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return percentile_of_sorted(sorted, share);
}

std::optional<double> median(std::span<const double> values) {
  return percentile(values, 0.5);
}

std::optional<double> robust_deviation(std::span<const double> values) {
  const auto middle = median(values);
  if (!middle) return std::nullopt;
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - *middle));
  return *median(distances) * 1.4826;
}

std::optional<double> slope_per_second(std::span<const Point> points) {
  if (points.size() < 2) return std::nullopt;
  const Instant origin = points.front().at;
  const auto n = static_cast<double>(points.size());
  double mean_t = 0;
  double mean_v = 0;
  for (const auto& point : points) {
    mean_t += to_seconds(point.at - origin) / n;
    mean_v += point.value / n;
  }
  double covariance = 0;
  double variance = 0;
  for (const auto& point : points) {
    const double t = to_seconds(point.at - origin) - mean_t;
    covariance += t * (point.value - mean_v);
    variance += t * t;
  }
  if (variance <= 0) return std::nullopt;
  return covariance / variance;
}

}  // namespace gputop
