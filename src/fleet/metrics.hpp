// The metrics of all exporters, by the figure they represent.
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

// nullptr: not a figure of a GPU.
const Metric* find_metric(std::string_view name);

// The factor that converts this sample to the metric's unit. Before DCGM 4.7, a field already called a ratio was a
// percentage.
double factor_of(const Metric& metric, double value);

// The node of a series: from its own label, or from the scraped instance.
std::string node_of(const Sample& sample);
// "n1:9100" is n1; the port distinguishes machines only if the host is this one.
std::string host_of(std::string_view instance);
// A GPU's UUID, or "NODE/INDEX".
std::string gpu_key(const Sample& sample, std::string_view node);
std::string_view gpu_index(const Sample& sample);
// A slice of a GPU (MIG): the board's own series are separate.
bool is_slice(const Sample& sample);

// Once.
void add_name(std::vector<std::string>& names, std::string_view name);

}  // namespace gputop::fleet
