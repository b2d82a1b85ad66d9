#include "gputop/estimator/step_work.hpp"

#include <algorithm>
#include <string_view>

#include "gputop/estimator/memory_model.hpp"

namespace gputop {
namespace {

// Bytes that a step reads and writes per byte that it keeps for the backward pass: 8 to 10 in counted image models; fused kernels
// of published language models bring it down to 7 (bench/speed).
constexpr double kTraffic = 7;
constexpr double kLogitTraffic = 3;
constexpr double kKernelsPerLayer = 31;  // of both passes, as counted in a vision transformer
constexpr double kGatedKernels = 45;     // rotary positions, RMS norms, a gate

bool is_single(Precision precision) {
  return precision == Precision::kFp32 || precision == Precision::kTf32;
}

// Weights, gradients and states are read and written once in a step.
double update_bytes(const TrainingSetup& setup, double trained) {
  const double states = setup.optimizer == OptimizerKind::kAdam || setup.optimizer == OptimizerKind::kAdamW ? 4
                        : setup.optimizer == OptimizerKind::kSgd                                            ? 0
                                                                                                            : 2;
  return trained * (setup.precision == Precision::kBf16 ? 2 : 4) * (4 + states);
}

// Checkpointing computes the forward pass, a third of the whole, again.
double recomputed(Checkpointing checkpointing) {
  constexpr double kWhole = 4.0 / 3;
  constexpr double kSome = 1.05;
  return checkpointing == Checkpointing::kFull ? kWhole : checkpointing == Checkpointing::kSelective ? kSome : 1;
}

StepWork with_flops(const TrainingSetup& setup, double flops, bool convolutions) {
  StepWork work;
  const bool tf32 = setup.precision == Precision::kTf32 || convolutions;  // torch lets cuDNN round by default
  (!is_single(setup.precision) ? work.half_flops : tf32 ? work.tf32_flops : work.fp32_flops) = flops;
  return work;
}

std::optional<StepWork> work_of(const TransformerShape& shape, const TrainingSetup& setup) {
  if (setup.base_bits) return std::nullopt;  // what unpacking the weights costs was not measured
  const double width = shape.hidden;
  const double embeddings = std::min(shape.params, shape.vocab * width * (shape.tied ? 1 : 2));
  const double body = shape.params - embeddings + shape.vocab * width;  // the logits are a product, the embedding is none
  const bool partly = setup.trainable && *setup.trainable < shape.params / 2;
  const double passes = partly ? 4 : 6;  // frozen weights need no gradients
  const double model_flops = passes * body * shape.sequence + 12.0 * shape.layers * width * shape.sequence * shape.sequence;
  const double again = recomputed(setup.checkpointing);
  auto plain = setup;
  plain.checkpointing = Checkpointing::kNone;
  StepWork work = with_flops(setup, model_flops * again, false);
  work.model_flops = model_flops;
  const double saved = analytic_model(plain).sample.activations;
  std::get<TransformerShape>(plain.shape).vocab = 0;
  const double layers = analytic_model(plain).sample.activations;
  work.bytes = (kTraffic * layers + kLogitTraffic * (saved - layers)) * again;
  work.kernels = (shape.gated ? kGatedKernels : kKernelsPerLayer) * shape.layers * again;
  work.update_bytes = update_bytes(setup, setup.trainable.value_or(shape.params));
  return work;
}

std::optional<StepWork> work_of(const ImageShape& shape, const TrainingSetup& setup) {
  if (!shape.counted) return std::nullopt;
  const auto& counted = *shape.counted;
  const double again = recomputed(setup.checkpointing);
  const double scale = shape.width * shape.height / (counted.size * counted.size);
  const double wide = is_single(setup.precision) && counted.saved_half > 0 ? counted.saved_single / counted.saved_half : 1;
  StepWork work = with_flops(setup, counted.dense_flops * scale * again, true);
  work.grouped_flops = counted.grouped_flops * scale * again;
  work.model_flops = (counted.dense_flops + counted.grouped_flops) * scale;
  work.bytes = counted.bytes * scale * wide * again;
  work.scattered_bytes = counted.scattered_bytes * scale * wide * again;
  work.kernels = counted.kernels * again;
  work.update_bytes = update_bytes(setup, setup.trainable.value_or(shape.params));
  return work;
}

std::optional<StepWork> work_of(const ComponentShape&, const TrainingSetup&) {
  return std::nullopt;
}

// A depthwise convolution does so few operations per byte that its bytes decide.
bool is_scattered(const RehearsedOperation& operation) {
  constexpr double kFew = 28;  // per two bytes
  const double width = operation.dtype == "float32" ? 2 : 1;
  return operation.kind == "conv" && operation.flops * width < kFew * operation.bytes;
}

}  // namespace

std::optional<StepWork> work_of(const TrainingSetup& setup) {
  return std::visit([&](const auto& shape) { return work_of(shape, setup); }, setup.shape);
}

std::optional<StepWork> work_of(const RehearsalTrace& trace, std::uint64_t batch) {
  if (trace.operations.empty() || batch == 0) return std::nullopt;
  StepWork work;
  for (const auto& operation : trace.operations) {
    const auto count = static_cast<double>(operation.count);
    const double flops = count * operation.flops;
    const double bytes = count * operation.bytes;
    work.kernels += count;
    work.model_flops += flops;
    const std::string_view name = operation.name;
    if (name.starts_with("_foreach") || name.starts_with("_fused_adam") || name.starts_with("_fused_sgd")) {
      work.update_bytes += bytes;
      continue;
    }
    if (is_scattered(operation)) {
      work.scattered_bytes += bytes;
      continue;
    }
    work.bytes += bytes;
    const bool half = operation.dtype == "float16" || operation.dtype == "bfloat16";
    (half ? work.half_flops : operation.kind == "conv" ? work.tf32_flops : work.fp32_flops) += flops;
  }
  const auto samples = static_cast<double>(batch);
  for (auto* value : {&work.half_flops, &work.tf32_flops, &work.fp32_flops, &work.bytes, &work.scattered_bytes, &work.model_flops})
    *value /= samples;
  return work;
}

}  // namespace gputop
