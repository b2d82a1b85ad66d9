// The last minutes of one GPU, reading by reading: what windowed figures are computed from.
#pragma once

#include <deque>

#include "gputop/core/gpu.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct GpuSample {
  Instant at;
  Reading<Percent> utilization;
  Reading<Percent> memory_busy;
  Reading<Bytes> memory;
  Reading<Watts> power;
  Reading<double> power_share;
  Reading<Celsius> temperature;
  Reading<double> clock_share;  // of the full SM clock
  Reading<ThrottleReasons> throttle;
};

// Bounded: ten minutes at one reading a second.
class GpuSamples {
 public:
  static constexpr std::size_t kMost = 600;

  void add(Instant at, const GpuReading& gpu);
  [[nodiscard]] const std::deque<GpuSample>& all() const { return samples_; }

 private:
  std::deque<GpuSample> samples_;
};

}  // namespace gputop
