// The last N readings of one metric, and their statistics over a time window.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Which pushed values are worth keeping.
struct Retention {
  Duration span = Duration::max();  // older points are dropped
  Duration pace{};                  // of readings closer together than this, keep the first
  bool peak = false;                // or keep the highest instead
};

// Bounded: when full, the oldest point is dropped. Unknown readings are not pushed. A machine has hundreds of these, so
// a point takes eight bytes: the time in milliseconds and the value as a float.
class History {
 public:
  explicit History(std::size_t capacity) : capacity_(capacity) {}

  void push(Instant at, double value, const Retention& retention = {});
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] bool empty() const { return points_.empty(); }
  [[nodiscard]] Point back() const { return at(points_.size() - 1); }

  // Points with from <= at <= to, oldest first.
  [[nodiscard]] std::vector<Point> window(Instant from, Instant to) const;
  // nullopt if the window is empty.
  [[nodiscard]] std::optional<double> mean(Instant from, Instant to) const;
  [[nodiscard]] std::optional<WindowStatistics> statistics(Instant from, Instant to) const;

 private:
  struct Kept {
    std::uint32_t after_ms = 0;  // since begin_
    float value = 0;
  };
  [[nodiscard]] const Kept& kept(std::size_t position) const;
  [[nodiscard]] Point at(std::size_t position) const;
  void append(Kept point);
  // Calls with each point of the window, oldest first.
  template <class Take>
  void each(Instant from, Instant to, Take take) const;
  void begin_anew(Instant at);

  std::size_t capacity_;
  std::size_t oldest_ = 0;  // in the ring that points_ becomes once it is full
  Instant begin_;           // in whole milliseconds
  std::vector<Kept> points_;
};

}  // namespace gputop
