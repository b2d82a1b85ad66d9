// Detects readings no board can have: sensor errors. They are shown as such and excluded from all statistics.
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

// A real board briefly exceeds its limit. A reading beyond this multiple of its highest limit is a sensor error.
inline constexpr double kPowerOvershoot = 1.5;
// No board draws this much, whatever its limit (which may be unknown).
inline constexpr Watts kMostPower{3000};

// Every implausible reading of this GPU; empty if there is none. Unknown readings are never implausible.
std::vector<SensorError> sensor_errors(const GpuReading& gpu);

// Makes the implausible value unknown.
void take_out(GpuReading& gpu, const SensorError& error);

// The same reading with implausible values made unknown, and the errors found.
struct Screened {
  GpuReading gpu;
  std::vector<SensorError> errors;
};
Screened without_sensor_errors(GpuReading gpu);

}  // namespace gputop
