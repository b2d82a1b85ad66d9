#include "sources/nvml/gpu_slot.hpp"

#include <algorithm>

namespace gputop::nvml {

std::string not_answering(const Hang& hang, Clock::time_point now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - hang.since).count();
  return "not answering for " + std::to_string(std::max<long long>(seconds, 1)) + " s (" + hang.function + ")";
}

GpuReading GpuSlot::reading(Clock::time_point now, const GpuReading& slow_part) const {
  const auto& fast_hang = hangs[static_cast<std::size_t>(LaneKind::kFast)];
  const auto& slow_hang = hangs[static_cast<std::size_t>(LaneKind::kSlow)];
  // Nothing is known about a GPU that does not answer; older readings would pass for current ones.
  GpuReading gpu = !fast_hang && !slow_hang && state == GpuState::kOk ? slow_part : GpuReading{};
  if (!fast_hang && state == GpuState::kOk) fast.put_into(gpu);
  gpu.index = index;
  gpu.name = identity.name;
  gpu.uuid = identity.uuid;
  gpu.pci_bus_id = identity.bus_id;
  gpu.state = state;
  if (!trouble.empty()) gpu.error = trouble;
  if (fast_hang || slow_hang) {
    gpu.state = GpuState::kNotAnswering;
    gpu.error = not_answering(fast_hang ? *fast_hang : *slow_hang, now);
  }
  return gpu;
}

}  // namespace gputop::nvml
