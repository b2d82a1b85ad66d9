// How a job went with the settings it had: what the next run of it on the same machine is compared with.
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
  Reading<Bytes> peak_memory;  // the run's own, of the GPU that took most

  // The same settings, whatever came of them.
  [[nodiscard]] bool same_settings(const RunPoint& other) const {
    return batch == other.batch && workers == other.workers && precision == other.precision;
  }
  bool operator==(const RunPoint&) const = default;
};

}  // namespace gputop
