// Evaluates a memory model; builds the lens level. The analytic and measured levels have their own files.
#include "gputop/estimator/memory_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "estimator/measured_error.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"analytic", "lens", "measured", "rehearsed"};
constexpr std::array<std::string_view, 3> kPhases{"forward_backward", "optimizer_step", "validation"};

// The lens counts saved tensors exactly; it does not see kernel temporaries and the allocator's rounding.
constexpr double kLensError = 0.10;
constexpr double kLensSlack = 0.04;
constexpr double kLargest = 1e18;  // bytes: prevents overflow on absurd input

Bytes whole(double bytes) {
  return Bytes{saturate_rounded<std::uint64_t>(std::clamp(bytes, 0.0, kLargest))};
}

}  // namespace

std::string_view to_string(EstimateLevel level) {
  return kLevels.at(static_cast<std::size_t>(level));
}
std::string_view to_string(PeakPhase phase) {
  return kPhases.at(static_cast<std::size_t>(phase));
}

MemoryEstimate memory_at(const MemoryModel& model, std::uint64_t batch) {
  const auto samples = static_cast<double>(batch);
  const auto& fixed = model.fixed;
  const double growth = 1 + model.slack;
  const double states = fixed.states() * growth;
  const double data = samples * model.sample.batch * growth;
  const double activations = (fixed.backward + samples * model.sample.activations) * growth;
  const double forward_backward = states + fixed.overhead + activations + data;
  const double step = states + fixed.overhead + fixed.step_scratch;
  const double validation =
      (fixed.parameters + fixed.optimizer + samples * model.sample.validation) * growth + fixed.overhead + data;

  MemoryEstimate estimate;
  estimate.batch = batch;
  estimate.forward_backward = whole(forward_backward);
  estimate.optimizer_step = whole(step);
  estimate.validation = whole(validation);
  estimate.total = std::max({estimate.forward_backward, estimate.optimizer_step, estimate.validation});
  estimate.peak = estimate.total == estimate.forward_backward ? PeakPhase::kForwardBackward
                  : estimate.total == estimate.optimizer_step ? PeakPhase::kOptimizerStep
                                                              : PeakPhase::kValidation;
  estimate.error = model.level == EstimateLevel::kMeasured ? measured_error(model, batch) : model.error;
  const double more = model.steeper.bytes_per_sample * (samples - model.steeper.batch) * growth;
  estimate.at_most = more > 0 ? whole(static_cast<double>(estimate.total.value()) + more) : estimate.total;
  if (estimate.total > Bytes{}) {
    estimate.error = std::max(estimate.error, std::abs(more) / static_cast<double>(estimate.total.value()));
  }
  if (model.parts_known) {
    MemoryParts parts;
    parts.parameters = whole(fixed.parameters);
    parts.gradients = whole(fixed.gradients);
    parts.optimizer = whole(fixed.optimizer);
    parts.activations = whole(fixed.backward + samples * model.sample.activations);
    parts.batch = whole(samples * model.sample.batch);
    // The remainder, so the parts add up to the phase: context, workspaces, what the allocator keeps.
    const Bytes named = parts.parameters + parts.gradients + parts.optimizer + parts.activations + parts.batch;
    parts.overhead = estimate.forward_backward > named ? estimate.forward_backward - named : Bytes{};
    estimate.parts = parts;
  }
  return estimate;
}

void scale_samples(MemoryModel& model, double factor) {
  model.sample.activations *= factor;
  model.steeper.bytes_per_sample *= factor;
}

MemoryModel lens_model(const LensBytes& counted) {
  MemoryModel model;
  model.level = EstimateLevel::kLens;
  model.fixed.parameters = static_cast<double>(counted.parameters.value());
  model.fixed.gradients = static_cast<double>(counted.gradients.value());
  model.fixed.optimizer = static_cast<double>(counted.optimizer.value());
  model.fixed.overhead = static_cast<double>(counted.overhead.value_or(kDefaultOverhead).value());
  model.sample.activations = counted.activations_per_sample;
  model.slack = kLensSlack;
  model.error = kLensError;
  model.why = counted.overhead
                  ? "the lens counted parameters, gradients, optimizer state and saved activations in one step"
                  : "the lens counted the tensors of one step; the CUDA context is assumed";
  return model;
}

}  // namespace gputop
