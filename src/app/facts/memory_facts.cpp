// Memory as a function of the batch: what the lens counted, and what was measured at the run's batch.
#include <algorithm>

#include "app/facts/parts.hpp"

namespace gputop::facts {

void add_memory(Gathering& gathering, const LensProcess* process) {
  auto& [model, facts, take, from] = gathering;
  auto& memory = facts.memory;
  if (!process) return;
  if (process->memory) {
    const auto& [probe, at] = *process->memory;
    take("parameters", memory.parameters, probe.parameters, kLens, at);
    take("gradients", memory.gradients, probe.gradients, kLens, at);
    take("optimizer", memory.optimizer, probe.optimizer, kLens, at);
    // Packed tensors were not counted, so the sum would be too small: unknown.
    if (probe.batch && *probe.batch > 0 && probe.skipped == 0) {
      take("activations_per_sample", memory.activations_per_sample, Bytes{probe.activations.value() / *probe.batch},
           kLens, at);
    }
  }
  if (process->model) {
    take("optimizer", memory.optimizer, process->model->value.optimizer_bytes, kLens, process->model->at);
  }
  if (process->ticks.empty()) return;
  const auto& last = process->ticks.back();
  Reading<Bytes> allocated;
  Reading<Bytes> reserved;
  for (const auto& device : last.value.cuda) {
    if (device.allocated_peak) allocated = std::max(allocated.value_or(Bytes{}), *device.allocated_peak);
    if (device.reserved_peak) reserved = std::max(reserved.value_or(Bytes{}), *device.reserved_peak);
  }
  take("allocated_peak", memory.allocated_peak, allocated, kLens, last.at);
  take("reserved_peak", memory.reserved_peak, reserved, kLens, last.at);
}

}  // namespace gputop::facts
