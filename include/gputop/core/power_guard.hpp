// Judges power readings of a board with an unknown limit by what it drew before.
#pragma once

#include <optional>

#include "gputop/core/plausibility.hpp"

namespace gputop {

// For one board, with readings in time order. A reading several times as high as all before it on a nearly idle GPU is
// a sensor error. If the load is unknown, it is an error unless the next reading confirms it.
class PowerGuard {
 public:
  // The error, if the reading is implausible. Boards with a known limit always pass here; sensor_errors judges them.
  std::optional<SensorError> check(const GpuReading& gpu);

 private:
  Watts highest_{};
  unsigned seen_ = 0;
  Reading<Watts> suspect_;  // the last reading, if it was rejected
};

}  // namespace gputop
