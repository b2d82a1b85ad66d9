#include <algorithm>
#include <chrono>

#include "gputop/app/model.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

// A gap in the readings longer than this is not filled with energy that nobody measured.
constexpr Duration kLongestStep = std::chrono::minutes{2};

}  // namespace

void GpuTotals::add(const GpuReading& gpu, Instant at) {
  if (gpu.utilization) {
    utilization_sum += gpu.utilization->value();
    ++utilization_count;
    peak_utilization = std::max(peak_utilization, *gpu.utilization);
  }
  if (gpu.memory_used) {
    memory_sum += static_cast<double>(gpu.memory_used->value());
    ++memory_count;
    peak_memory = std::max(peak_memory, *gpu.memory_used);
  }
  if (gpu.power) {
    if (power_at && at > *power_at && at - *power_at <= kLongestStep) {
      energy += Joules{gpu.power->value() * to_seconds(at - *power_at)};
    }
    power_at = at;
  }
}

Reading<Percent> GpuTotals::mean_utilization() const {
  if (utilization_count == 0) return std::nullopt;
  return Percent{utilization_sum / static_cast<double>(utilization_count)};
}

Reading<Bytes> GpuTotals::mean_memory() const {
  if (memory_count == 0) return std::nullopt;
  return Bytes{saturate<std::uint64_t>(memory_sum / static_cast<double>(memory_count))};
}

}  // namespace gputop
