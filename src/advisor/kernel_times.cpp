#include "advisor/kernel_times.hpp"

#include "advisor/phrase.hpp"

namespace gputop {

Reading<double> operation_time(const Situation& s) {
  const auto& rate = s.facts.efficiency.operations_per_second;
  if (!rate || rate->value <= 0 || !s.diagnosis.utilization) return std::nullopt;
  return *s.diagnosis.utilization / rate->value;
}

std::optional<MemoryLimit> memory_limit(const Situation& s) {
  const auto& mfu = s.facts.efficiency.mfu;
  for (const auto* gpu : gpus_in_use(s.facts)) {
    if (!s.above(gpu->utilization, s.limits.busy)) continue;
    const auto& activity = gpu->activity;
    if (activity.dram) {
      const bool computes = activity.tensor && *activity.tensor >= *activity.dram;
      if (!computes && s.above(activity.dram, s.limits.memory_bound))
        return MemoryLimit{gpu, activity.dram->value(), true};
      continue;
    }
    // The driver's figure only says that the memory was in use; that it is the limit shows in how little is computed.
    if (s.above(gpu->memory_busy, s.limits.good_memory_busy) && mfu && s.below(mfu->value * 100, s.limits.low_mfu))
      return MemoryLimit{gpu, gpu->memory_busy->value(), false};
  }
  return std::nullopt;
}

std::optional<Veto> compile_veto(const Situation& s) {
  const auto& settings = s.facts.settings;
  if (!settings.compiled || settings.compiled->value || !settings.torch_major || settings.torch_major->value < 2)
    return std::nullopt;
  const auto time = operation_time(s);
  if (!time || *time * 1e6 < s.limits.long_operation || memory_limit(s)) return std::nullopt;
  return Veto{"compile", "torch.compile won't help: an operation takes the GPU " + number_words(*time * 1e6) +
                             " µs on average, so nothing waits for launches"};
}

}  // namespace gputop
