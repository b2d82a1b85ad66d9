#include "gputop/app/gpu_samples.hpp"

namespace gputop {
namespace {

template <class Quantity>
Reading<double> ratio(const Reading<Quantity>& part, const Reading<Quantity>& whole) {
  if (!part || !whole || !(static_cast<double>(whole->value()) > 0)) return std::nullopt;
  return *part / *whole;
}

}  // namespace

void GpuSamples::add(Instant at, const GpuReading& gpu) {
  if (gpu.state != GpuState::kOk) return;
  if (samples_.size() == kMost) samples_.pop_front();
  samples_.push_back({.at = at,
                      .utilization = gpu.utilization,
                      .memory_busy = gpu.memory_utilization,
                      .memory = gpu.memory_used,
                      .power = gpu.power,
                      .power_share = ratio(gpu.power, gpu.power_limit),
                      .temperature = gpu.temperature,
                      .clock_share = ratio(gpu.sm_clock, gpu.max_sm_clock),
                      .throttle = gpu.throttle});
}

}  // namespace gputop
