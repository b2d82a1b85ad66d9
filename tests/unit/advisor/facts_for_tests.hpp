// Facts of a run as a test needs them: one GPU that is well used, and everything else unknown; then what the test is
// about.
#pragma once

#include <string>

#include "advisor/situation.hpp"
#include "gputop/advisor/advisor.hpp"

namespace gputop::test {

using namespace gputop::literals;

template <class T>
Known<T> lens(T value) {
  return Fact<T>{std::move(value), FactSource::kLens, {}};
}
template <class T>
Known<T> printed(T value) {
  return Fact<T>{std::move(value), FactSource::kPrinted, {}};
}

inline GpuFacts a_gpu(double utilization = 95, unsigned index = 0) {
  GpuFacts gpu;
  gpu.index = index;
  gpu.name = "NVIDIA GeForce RTX 3090";
  gpu.used_by_run = true;
  gpu.compute_capability = ComputeCapability{8, 6};
  gpu.utilization = Percent{utilization};
  gpu.memory_total = 24_GiB;
  gpu.memory_used = 12_GiB;
  gpu.memory_peak = 12_GiB;
  return gpu;
}

// A run that has been going for ten minutes.
inline Facts facts(double utilization = 95) {
  Facts facts;
  facts.now = at_seconds(600);
  facts.age = std::chrono::seconds{600};
  facts.window = std::chrono::seconds{120};
  facts.has_run = true;
  facts.steady = true;
  facts.depth = Depth::kOutput;
  facts.gpus.push_back(a_gpu(utilization));
  return facts;
}

// The same with what the lens counts; shares in percent.
inline Facts lens_facts(double utilization, double input_wait) {
  auto with_lens = facts(utilization);
  with_lens.depth = Depth::kLens;
  with_lens.settings.batch_size = lens<std::uint64_t>(32);
  with_lens.settings.accumulation = lens<std::uint64_t>(1);
  with_lens.settings.workers = lens(2U);
  with_lens.settings.precision = lens(Precision::kAmpFp16);
  with_lens.settings.optimizer = lens(OptimizerKind::kAdamW);
  with_lens.settings.learning_rate = lens(0.001);
  with_lens.step.input_wait_share = lens(input_wait / 100);
  with_lens.step.samples_per_second = lens(400.0);
  with_lens.step.step_time = lens(Duration{std::chrono::milliseconds{80}});
  with_lens.host.usable_cores = 16;
  with_lens.host.cpu = 30_percent;
  return with_lens;
}

// What one rule says about these facts.
inline std::optional<Finding> ask(Rule rule, const Facts& about, bool shown = false, const Thresholds& limits = {}) {
  const auto diagnosis = diagnose(about, limits);
  const StepModel model{about, diagnosis, limits};
  return rule(Situation{about, limits, diagnosis, model, false, shown});
}

inline std::string change_of(const std::optional<Finding>& finding, std::string_view knob) {
  if (!finding) return "no finding";
  for (const auto& change : finding->changes) {
    if (change.knob == knob) return change.from + " → " + change.to;
  }
  return "no change";
}

// All that holds, at once.
inline Advice advice_on(const Facts& about, AdvisorSettings settings = {}) {
  Advisor advisor{std::move(settings)};
  advisor.conclude(about);
  return advisor.advice();
}

inline bool has(const Advice& advice, std::string_view id) {
  for (const auto& finding : advice.findings) {
    if (finding.id == id) return true;
  }
  return false;
}

}  // namespace gputop::test
