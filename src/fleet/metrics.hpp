// The metrics of all exporters by the figure they are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "gputop/fleet/fleet.hpp"

namespace gputop::fleet {

enum class Figure : std::uint8_t {
  kNone,
  kUtilization,  // %
  kMemoryUsed,   // MiB
  kMemoryTotal,
  kMemoryFree,
  kTemperature,  // °C
  kPower,        // W
  kPowerLimit,
};

struct Metric {
  std::string_view name;
  Figure figure;
  double factor;
};

constexpr Figure figure_of(std::string_view column) {
  if (column == "utilization_gpu") return Figure::kUtilization;
  if (column == "memory_used") return Figure::kMemoryUsed;
  if (column == "memory_total") return Figure::kMemoryTotal;
  if (column == "memory_free") return Figure::kMemoryFree;
  if (column == "temperature_gpu") return Figure::kTemperature;
  if (column == "power_draw") return Figure::kPower;
  if (column == "power_limit") return Figure::kPowerLimit;
  return Figure::kNone;
}

inline constexpr auto kMetrics = std::to_array<Metric>({
#define METRIC(name, column, factor) {name, figure_of(column), factor},
#include "gputop/core/gpu_metrics.def"
#undef METRIC
});

// nullptr: it is no figure of a GPU.
const Metric* find_metric(std::string_view name);

// What makes this sample the metric's unit. Before DCGM 4.7 a field that was already called a ratio was a percentage.
double factor_of(const Metric& metric, double value);

// Which node a series is of: by its own label, else by who was scraped.
std::string node_of(const Sample& sample);
// "n1:9100" is n1; ports tell machines apart only where the host is this one.
std::string host_of(std::string_view instance);
// A GPU's UUID, else "NODE/INDEX".
std::string gpu_key(const Sample& sample, std::string_view node);
std::string_view gpu_index(const Sample& sample);
// A slice of a GPU (MIG): the board's own series are elsewhere.
bool is_slice(const Sample& sample);

// Once.
void add_name(std::vector<std::string>& names, std::string_view name);

}  // namespace gputop::fleet
