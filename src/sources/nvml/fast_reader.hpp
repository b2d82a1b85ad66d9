// The fast lane's part of a reading: what changes every tick and is cheap to query.
#pragma once

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

struct FastPart {
  Reading<Percent> utilization;
  Reading<Percent> memory_utilization;
  Reading<Percent> encoder;
  Reading<Percent> decoder;
  Reading<Bytes> memory_used;
  Reading<Bytes> memory_total;
  Reading<Bytes> memory_reserved;
  Reading<Celsius> temperature;
  Reading<Watts> power;
  Reading<Megahertz> sm_clock;
  Reading<Megahertz> memory_clock;
  Reading<ThrottleReasons> throttle;
  Reading<unsigned> performance_state;

  void put_into(GpuReading& gpu) const;
  // No call was answered at all.
  [[nodiscard]] bool empty() const;
};

// One per GPU; not thread-safe.
class FastReader {
 public:
  FastPart read(const Api& api, Calls& calls);

 private:
  void read_memory(const Api& api, Calls& calls, FastPart& part);

  // The newer calls that this GPU's driver has refused.
  bool memory_v2_refused_ = false;
  bool sm_clock_refused_ = false;
  bool temperature_refused_ = false;
  bool event_reasons_refused_ = false;
  bool performance_state_refused_ = false;
};

}  // namespace gputop::nvml
