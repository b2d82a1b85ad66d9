// Setups that the estimator's tests share.
#pragma once

#include "gputop/estimator/memory_model.hpp"

namespace gputop::test {

inline constexpr double kGiB = 1024.0 * 1024 * 1024;

// 1.3 B parameters, 24 layers.
inline TrainingSetup transformer() {
  TransformerShape shape;
  shape.params = 1.3e9;
  shape.layers = 24;
  shape.hidden = 2048;
  shape.heads = 32;
  shape.kv_heads = 32;
  shape.feed_forward = 8192;
  shape.vocab = 50304;
  shape.sequence = 1024;
  TrainingSetup setup;
  setup.shape = shape;
  return setup;
}

inline TrainingSetup image() {
  ImageShape shape;
  shape.params = 25e6;
  shape.bytes_per_pixel = 1800;
  shape.width = shape.height = 224;
  shape.half_ratio = 0.55;
  shape.error = 0.25;
  TrainingSetup setup;
  setup.shape = shape;
  setup.optimizer = OptimizerKind::kSgdMomentum;
  return setup;
}

// Story S2: 0.2 + 0.2 + 0.8 + 1.5 GB and 0.375 GB a sample.
inline TrainingSetup components() {
  const auto gib = [](double n) { return Bytes{static_cast<std::uint64_t>(n * kGiB)}; };
  ComponentShape shape;
  shape.parameters = gib(0.2);
  shape.gradients = gib(0.2);
  shape.optimizer = gib(0.8);
  shape.overhead = gib(1.5);
  shape.activations_per_sample = 0.375 * kGiB;
  TrainingSetup setup;
  setup.shape = shape;
  return setup;
}

inline double total(const TrainingSetup& setup, std::uint64_t batch) {
  return static_cast<double>(memory_at(analytic_model(setup), batch).total.value());
}

}  // namespace gputop::test
