#include "estimator/variants.hpp"

#include <algorithm>

namespace gputop {
namespace {

// Checkpointing saves up to three quarters of the activations; AMP leaves 0.56 to 0.93 of the whole (FACTS).
constexpr double kCheckpointed = 0.4;
constexpr double kMixed = 0.65;
constexpr double kAssumedError = 0.25;
constexpr const char* kSlower = "costs 20–25 % of the speed";
constexpr const char* kFaster = "usually faster, too";

Variant assumed(std::string name, const char* note, const MemoryModel& model, double factor) {
  Variant variant{std::move(name), std::string{note} + "; savings as published", model};
  scale_samples(variant.model, factor);
  variant.model.points.clear();  // were measured without it
  variant.model.level = EstimateLevel::kAnalytic;
  variant.model.error = std::max(model.error, kAssumedError);
  return variant;
}

// The shape says how much it saves; measured or counted values keep their own scale.
Variant changed(std::string name,
                const char* note,
                const MemoryModel& model,
                const TrainingSetup& before,
                const TrainingSetup& after,
                std::optional<double> samples) {
  const auto old_model = analytic_model(before);
  const auto new_model = analytic_model(after);
  if (samples) {
    Variant variant{std::move(name), note, new_model};
    scale_samples(variant.model, *samples);
    return variant;
  }
  const double factor =
      old_model.sample.activations > 0 ? new_model.sample.activations / old_model.sample.activations : 1;
  auto variant = assumed(std::move(name), note, model, factor);
  variant.model.fixed.overhead += std::max(0.0, new_model.fixed.overhead - old_model.fixed.overhead);
  return variant;
}

}  // namespace

std::vector<Variant> variants(const std::optional<TrainingSetup>& setup,
                              const MemoryModel& model,
                              std::optional<double> samples) {
  const bool shaped = setup && !std::holds_alternative<ComponentShape>(setup->shape);
  const auto checkpointing = setup ? setup->checkpointing : Checkpointing::kNone;
  const auto precision = setup ? setup->precision : Precision::kFp32;
  std::vector<Variant> result;
  if (checkpointing != Checkpointing::kFull) {
    if (shaped) {
      auto after = *setup;
      after.checkpointing = Checkpointing::kFull;
      result.push_back(changed("checkpointing", kSlower, model, *setup, after, samples));
    } else {
      result.push_back(assumed("checkpointing", kSlower, model, kCheckpointed));
    }
  }
  if (precision == Precision::kFp32 || precision == Precision::kTf32) {
    if (shaped) {
      auto after = *setup;
      after.precision = Precision::kAmpFp16;
      result.push_back(changed("amp", kFaster, model, *setup, after, samples));
    } else {
      result.push_back(assumed("amp", kFaster, model, kMixed));
    }
  }
  return result;
}

}  // namespace gputop
