// Figures of merit that a run prints, read from any line, whatever its format; kept by name, with the best and the
// latest value of each.
#pragma once

#include <string_view>
#include <vector>

#include "gputop/core/metric.hpp"

namespace gputop {

// All metrics of a line, in its order. `validating`: the run is at its validation, which the line need not say.
std::vector<Metric> read_metrics(std::string_view line, bool validating = false);

Better better_of(std::string_view metric);  // by its name

// All metrics of a run, in the order they were first printed; bounded.
class MetricLog {
 public:
  void add(Instant at, const Metric& metric, const Reading<double>& epoch, const Reading<std::uint64_t>& step);
  [[nodiscard]] const std::vector<MetricTrack>& all() const { return tracks_; }

 private:
  static constexpr std::size_t kMost = 64;
  std::vector<MetricTrack> tracks_;
};

}  // namespace gputop
