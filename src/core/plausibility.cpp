#include "gputop/core/plausibility.hpp"

#include <algorithm>
#include <utility>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

Reading<Watts> highest_limit(const GpuReading& gpu) {
  if (gpu.power_limit && gpu.max_power_limit) return std::max(*gpu.power_limit, *gpu.max_power_limit);
  return gpu.max_power_limit ? gpu.max_power_limit : gpu.power_limit;
}

}  // namespace

std::vector<SensorError> sensor_errors(const GpuReading& gpu) {
  std::vector<SensorError> errors;
  if (gpu.power) {
    const auto limit = highest_limit(gpu);
    const auto reading = [&] { return "power " + format_reading(gpu.power, " W"); };
    if (limit && limit->value() > 0 && *gpu.power > *limit * kPowerOvershoot) {
      errors.push_back({"power", reading() + " is above any limit of this board (" + format_reading(limit, " W") +
                                     "): sensor error"});
    } else if (*gpu.power > kMostPower) {
      errors.push_back({"power", reading() + " is more than any board draws: sensor error"});
    } else if (gpu.power->value() < 0) {
      errors.push_back({"power", reading() + " is impossible: sensor error"});
    }
  }
  if (gpu.temperature && (gpu.temperature->value() > 150 || gpu.temperature->value() < -60)) {
    errors.push_back(
        {"temperature", "temperature " + format_reading(gpu.temperature, " °C") + " is impossible: sensor error"});
  }
  if (gpu.utilization && (gpu.utilization->value() > 100 || gpu.utilization->value() < 0)) {
    errors.push_back(
        {"utilization", "utilization " + format_reading(gpu.utilization, " %") + " is impossible: sensor error"});
  }
  if (gpu.memory_used && gpu.memory_total && gpu.memory_total->value() > 0 && *gpu.memory_used > *gpu.memory_total) {
    errors.push_back({"memory_used", "memory used " + format_bytes(*gpu.memory_used) + " is more than there is (" +
                                         format_bytes(*gpu.memory_total) + "): sensor error"});
  }
  return errors;
}

void take_out(GpuReading& gpu, const SensorError& error) {
  if (error.metric == "power") gpu.power.reset();
  if (error.metric == "temperature") gpu.temperature.reset();
  if (error.metric == "utilization") gpu.utilization.reset();
  if (error.metric == "memory_used") gpu.memory_used.reset();
}

Screened without_sensor_errors(GpuReading gpu) {
  auto errors = sensor_errors(gpu);
  for (const auto& error : errors) take_out(gpu, error);
  return {std::move(gpu), std::move(errors)};
}

}  // namespace gputop
