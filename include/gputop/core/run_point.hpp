// Speed and memory of a job with given settings: the baseline for the next run of it on the same machine.
#pragma once

#include <cstdint>

#include "gputop/core/reading.hpp"
#include "gputop/core/training.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

struct RunPoint {
  std::uint64_t batch = 0;
  Reading<unsigned> workers;
  Reading<Precision> precision;
  Reading<double> samples_per_second;
  Reading<Bytes> peak_memory;  // of the run alone, on the GPU with the highest use

  // Same settings, whatever the result.
  [[nodiscard]] bool same_settings(const RunPoint& other) const {
    return batch == other.batch && workers == other.workers && precision == other.precision;
  }
  bool operator==(const RunPoint&) const = default;
};

}  // namespace gputop
