// The last N readings of one metric, and what they say over a window of time.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/statistics.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct WindowStatistics {
  std::size_t count = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  double p5 = 0;
  double p50 = 0;
  double p95 = 0;
  Reading<double> slope_per_second;
};

// Bounded: when full, the oldest point leaves. Unknown readings are simply not pushed.
class History {
 public:
  explicit History(std::size_t capacity) : capacity_(capacity) {}

  void push(Instant at, double value);
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] const Point& back() const { return points_.back(); }

  // Points with from <= at <= to, oldest first.
  [[nodiscard]] std::vector<Point> window(Instant from, Instant to) const;
  // nullopt when the window holds nothing.
  [[nodiscard]] std::optional<WindowStatistics> statistics(Instant from, Instant to) const;

 private:
  std::size_t capacity_;
  std::deque<Point> points_;
};

}  // namespace gputop
