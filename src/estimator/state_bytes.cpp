#include "estimator/state_bytes.hpp"

namespace gputop {
namespace {

// States have the type of the weights they belong to.
double state(Precision precision) {
  return precision == Precision::kBf16 ? 2 : 4;
}

}  // namespace

double weight_bytes(Precision precision, bool trained) {
  if (precision == Precision::kFp32 || precision == Precision::kTf32) return 4;
  return precision == Precision::kBf16 || !trained ? 2 : 4;
}

double frozen_bytes(double params, double embeddings, const TrainingSetup& setup) {
  const double plain = weight_bytes(setup.precision, false);
  if (!setup.base_bits) return params * plain;
  constexpr double kScales = 0.06;  // of a byte per weight: the quantisation constants
  return (params - embeddings) * (*setup.base_bits / 8.0 + kScales) + embeddings * plain;
}

double gradient_bytes(Precision precision) {
  return state(precision);
}

double optimizer_bytes(OptimizerKind optimizer, Precision precision) {
  switch (optimizer) {
    case OptimizerKind::kSgd: return 0;
    case OptimizerKind::kSgdMomentum:
    case OptimizerKind::kAdafactor: return state(precision);
    case OptimizerKind::kAdam8bit: return 2;
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
    case OptimizerKind::kOther: return 2 * state(precision);
  }
  return 2 * state(precision);
}

double step_scratch_bytes(OptimizerKind optimizer, Precision precision) {
  const bool adam = optimizer == OptimizerKind::kAdam || optimizer == OptimizerKind::kAdamW;
  return adam ? state(precision) : 0;  // the square roots of the second moments, all at once
}

}  // namespace gputop
