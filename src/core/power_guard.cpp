#include "gputop/core/power_guard.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr unsigned kEnough = 3;  // readings before it judges anything
constexpr double kFarAbove = 3;  // times the highest reading so far
constexpr Watts kStep{150};      // and by at least this much, because small boards fluctuate
constexpr Percent kWorks{50};    // a GPU this busy may draw anything

}  // namespace

std::optional<SensorError> PowerGuard::check(const GpuReading& gpu) {
  if (!gpu.power || gpu.power_limit || gpu.max_power_limit) return std::nullopt;
  const Watts power = *gpu.power;
  const bool jumps = seen_ >= kEnough && power > highest_ * kFarAbove && power > highest_ + kStep;
  const bool explained = gpu.utilization && *gpu.utilization >= kWorks;
  const bool confirmed = !gpu.utilization && suspect_ && power < *suspect_ * 2 && power > *suspect_ * 0.5;
  if (jumps && !explained && !confirmed) {
    suspect_ = power;
    return SensorError{"power", "power " + format_reading(gpu.power, " W") +
                                    " is far above all this board drew before (" +
                                    format_reading(Reading<Watts>{highest_}, " W") + "): sensor error"};
  }
  suspect_.reset();
  highest_ = std::max(highest_, power);
  ++seen_;
  return std::nullopt;
}

}  // namespace gputop
