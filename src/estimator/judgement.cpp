// Interprets the figures: how well the memory is used, and what a batch may gain.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {
namespace {

constexpr double kLow = 40;      // percent of the GPU's memory, same as low_memory in advisor.yaml
constexpr double kFull = 92;     // same as memory_pressure
constexpr double kMostGain = 4;  // without a measurement, no more than one step's gain is predicted

}  // namespace

const BatchChoice& first_step(const Estimate& estimate) {
  return estimate.steps.empty() ? *estimate.best : estimate.steps.front();
}

FitVerdict fit_verdict(const Estimate& estimate) {
  if (estimate.rehearsal) return estimate.rehearsal->verdict;
  if (!estimate.gpu || !estimate.stated || !estimate.limits.current_batch) return FitVerdict::kUnknown;
  const auto& memory = *estimate.stated;
  if (memory.total * (1 + memory.error) <= estimate.limits.free) return FitVerdict::kFits;
  return memory.total * std::max(0.0, 1 - memory.error) > estimate.limits.free ? FitVerdict::kDoesNotFit : FitVerdict::kNotSure;
}

std::string memory_verdict(const Estimate& estimate) {
  if (!estimate.gpu || !estimate.stated || !estimate.limits.current_batch) return {};
  const double percent = estimate.stated->total / estimate.gpu->memory * 100;
  const auto of_memory = format_number(percent, 0) + " % of the GPU's memory";
  if (estimate.stated->total > estimate.limits.free) return "✗ does not fit: " + of_memory;
  if (percent < kLow) return "✗ underused: " + of_memory + " (good: 40–92)";
  if (estimate.stated->total > budget(estimate.limits) || percent > kFull) return "· tight: " + of_memory;
  return "✓ good use: " + of_memory;
}

std::optional<SpeedRange> speed_of(const Estimate& estimate, const BatchChoice& choice) {
  const auto& current = estimate.limits.current_batch;
  if (!current || *current == 0 || choice.batch == 0) return std::nullopt;
  const double ratio = static_cast<double>(choice.batch) / static_cast<double>(*current);
  SpeedRange range{std::min(1.0, ratio), std::max(1.0, ratio)};
  // The knee reaches 90 % of an infinite batch's throughput: step = knee/9 + batch, in units of a sample.
  if (const auto& knee = estimate.limits.knee) {
    const double start = static_cast<double>(*knee) / 9;
    const auto rate = [&](double batch) { return batch / (start + batch); };
    range.low = range.high = rate(static_cast<double>(choice.batch)) / rate(static_cast<double>(*current));
  }
  range.high = std::min(range.high, kMostGain);
  if (choice.name == "checkpointing") {  // a fifth to a quarter is computed twice
    range.low *= 0.75;
    range.high *= 0.8;
  }
  if (choice.name == "amp") range.high *= 2.4;  // tensor cores; no gain if they are not the bottleneck
  range.high = std::min(range.high, kMostGain);
  return range;
}

}  // namespace gputop
