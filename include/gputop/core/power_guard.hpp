// Power readings of a board whose limit nobody knows: judged by what it drew before.
#pragma once

#include <optional>

#include "gputop/core/plausibility.hpp"

namespace gputop {

// One board, readings in order of time. A reading several times as high as all before it, on a GPU that hardly works,
// is the sensor's fault; where the work is not known, unless the next reading says the same.
class PowerGuard {
 public:
  // The error, when the reading cannot be believed. Boards with a known limit are judged by that (sensor_errors) and
  // pass here.
  std::optional<SensorError> check(const GpuReading& gpu);

 private:
  Watts highest_{};
  unsigned seen_ = 0;
  Reading<Watts> suspect_;  // the last reading, if it was refused
};

}  // namespace gputop
