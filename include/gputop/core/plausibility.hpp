// Readings no board can have: sensor errors. They are shown as such and kept out of every statistic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

struct SensorError {
  std::string_view metric;  // "power", "temperature", "utilization", "memory_used"
  std::string text;         // "590 W is above any limit of this board (115 W): sensor error"
  bool operator==(const SensorError&) const = default;
};

// One that was found in a log or a recording.
struct FoundSensorError {
  Instant at;
  unsigned gpu = 0;
  std::string metric;
  std::string text;
};

// A real board overshoots its limit for moments; a reading beyond this multiple of its highest limit is the sensor's
// fault.
inline constexpr double kPowerOvershoot = 1.5;
// No board draws this, whatever its limit (which may be unknown).
inline constexpr Watts kMostPower{3000};

// Every implausible reading of this GPU; empty when all is well. Unknown readings are never implausible.
std::vector<SensorError> sensor_errors(const GpuReading& gpu);

// Makes the value that cannot be believed unknown.
void take_out(GpuReading& gpu, const SensorError& error);

// The same reading with the implausible values made unknown, and the errors that were found.
struct Screened {
  GpuReading gpu;
  std::vector<SensorError> errors;
};
Screened without_sensor_errors(GpuReading gpu);

}  // namespace gputop
