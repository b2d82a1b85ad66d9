// The analytic level: bytes from the model's shape and the training setup. Sources: FACTS "Memory model" (Korthikanti
// et al. for transformer layers); bench/estimator checks the constants against published measurements.
#include <algorithm>
#include <cmath>

#include "estimator/state_bytes.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/estimator/memory_model.hpp"

namespace gputop {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kCommunication = 1.45 * kGiB;  // NCCL's first collective takes this; no allocator sees it
constexpr double kReserved = 0.06;              // by the caching allocator, beyond what tensors use
constexpr double kTransformerError = 0.30;
constexpr double kComponentError = 0.20;

bool is_half(Precision precision) {
  return precision == Precision::kBf16;
}
bool is_mixed(Precision precision) {
  return precision == Precision::kAmpFp16 || precision == Precision::kAmpBf16;
}
double element(Precision precision) {
  return is_half(precision) || is_mixed(precision) ? 2 : 4;
}

// Activations relative to a purely 16-bit model: mixed precision keeps norms and residuals in fp32; in fp32 only masks
// and indices stay as small.
double layer_factor(Precision precision) {
  return is_half(precision) ? 1.0 : is_mixed(precision) ? 1.15 : 1.9;
}
double attention_factor(Precision precision) {
  return is_half(precision) ? 1.0 : is_mixed(precision) ? 1.3 : 1.9;
}

// For one layer and one sample.
double layer_bytes(const TransformerShape& shape, const TrainingSetup& setup) {
  constexpr double kQuantised = 1.4;  // dequantized inputs are kept for the backward pass
  const double grouped = shape.heads == 0 ? 1 : static_cast<double>(shape.kv_heads) / shape.heads;
  const double norms = shape.gated ? 4 : 0;  // RMS norms are computed in fp32
  // A token's way to its experts and back keeps a copy of it for each.
  const double routed = shape.experts > 1 ? 2 * shape.active_experts : 0;
  const double hidden = (7 + norms + 2 * grouped + routed) * shape.hidden;
  const double feed_forward = (shape.gated ? 4 : 2) * shape.feed_forward * shape.active_experts;
  const double bytes = 2 * shape.sequence * (hidden + feed_forward) * layer_factor(setup.precision);
  return setup.base_bits ? bytes * kQuantised : bytes;
}

// With flash attention there are no scores to compute again: what is kept then is the input, every other matrix product, and
// attention's output, as torchtitan and its kin choose.
double selected_bytes(const TransformerShape& shape, const TrainingSetup& setup) {
  const double grouped = shape.heads == 0 ? 1 : static_cast<double>(shape.kv_heads) / shape.heads;
  const double hidden = (4 + grouped) * shape.hidden;
  return 2 * shape.sequence * (hidden + shape.feed_forward * shape.active_experts) * layer_factor(setup.precision);
}

double attention_bytes(const TransformerShape& shape, const TrainingSetup& setup) {
  if (setup.attention == Attention::kFlash) return 0;
  constexpr double kScores = 5;  // softmax in and out in 16 bit, and the dropout's mask
  return kScores * shape.heads * shape.sequence * shape.sequence * attention_factor(setup.precision);
}

double logit_bytes(const TransformerShape& shape, const TrainingSetup& setup) {
  constexpr double kHalf = 10;            // 16-bit logits, their fp32 copy and its gradient
  constexpr double kChunked = kHalf / 8;  // an eighth of them at a time
  constexpr double kSingle = 12;
  const double each = setup.logits == Logits::kChunked ? kChunked : element(setup.precision) == 2 ? kHalf : kSingle;
  return each * shape.sequence * shape.vocab;
}

SampleMemory sample_memory(const TransformerShape& shape, const TrainingSetup& setup) {
  const double layer = layer_bytes(shape, setup);
  const double attention = attention_bytes(shape, setup);
  const double kept = element(setup.precision) * shape.sequence * shape.hidden;  // a layer's input
  SampleMemory sample;
  switch (setup.checkpointing) {
    case Checkpointing::kNone: sample.activations = shape.layers * (layer + attention); break;
    case Checkpointing::kSelective:
      sample.activations = setup.attention == Attention::kFlash ? shape.layers * std::min(layer, selected_bytes(shape, setup)) + layer
                                                                : shape.layers * layer + attention;
      break;
    case Checkpointing::kFull: sample.activations = shape.layers * kept + layer + attention; break;
  }
  sample.activations += logit_bytes(shape, setup);
  constexpr double kWords = 3.0 * 8;  // ids, mask, labels
  sample.batch = kWords * shape.sequence;
  sample.validation = (layer + attention) / 2 + (element(setup.precision) + 4) * shape.sequence * shape.vocab;
  return sample;
}

SampleMemory sample_memory(const ImageShape& shape, const TrainingSetup& setup) {
  constexpr double kSelective = 0.6;
  constexpr double kFull = 0.35;
  constexpr double kValidation = 0.15;  // a few of the largest maps live at once
  const double pixels = shape.width * shape.height;
  double bytes = pixels * (shape.bytes_per_pixel + shape.class_bytes_per_pixel * shape.classes);
  if (element(setup.precision) == 2) bytes *= shape.half_ratio;
  SampleMemory sample;
  sample.validation = bytes * kValidation;
  if (setup.checkpointing == Checkpointing::kSelective) bytes *= kSelective;
  if (setup.checkpointing == Checkpointing::kFull) bytes *= kFull;
  sample.activations = bytes;
  sample.batch = pixels * 3 * 4;
  return sample;
}

// Embeddings stay in 16 bits if the rest of the base is quantized.
double embedding_params(const TransformerShape& shape) {
  return std::min(shape.params, shape.vocab * shape.hidden * (shape.tied ? 1 : 2));
}
double embedding_params(const ImageShape&) {
  return 0;
}

double layers_of(const TransformerShape& shape) {
  return std::max(1U, shape.layers);
}
double layers_of(const ImageShape&) {
  constexpr double kUsual = 16;
  return kUsual;
}

// What is in the host's memory comes back piece by piece: two layers' weights at a time.
void offload(FixedMemory& fixed, const TrainingSetup& setup, double layers) {
  if (setup.offload == Offload::kNone) return;
  fixed.optimizer = 0;
  fixed.step_scratch = 0;  // the step is the host's, too
  if (setup.offload != Offload::kAll) return;
  fixed.parameters *= std::min(1.0, 2 / layers);
  fixed.gradients *= std::min(1.0, 2 / layers);
}

template <class ShapeType>
MemoryModel from_shape(const ShapeType& shape, const TrainingSetup& setup) {
  const double trained = std::clamp(setup.trainable.value_or(shape.params), 0.0, std::max(shape.params, 0.0));
  const double frozen = shape.params - trained;
  const double split = std::max(1U, setup.tensor);                     // of each layer, its weights and what it keeps
  const double world = std::max(1.0, setup.world / split);             // ranks that share states, if they are sharded
  const bool shards_parameters = setup.sharding == Sharding::kZero3;
  const bool shards_gradients = shards_parameters || setup.sharding == Sharding::kZero2;
  const bool shards_optimizer = shards_gradients || setup.sharding == Sharding::kZero1;

  MemoryModel model;
  auto& fixed = model.fixed;
  fixed.parameters = trained * weight_bytes(setup.precision, true) +
                     frozen_bytes(frozen, std::min(frozen, embedding_params(shape)), setup);
  fixed.gradients = trained * gradient_bytes(setup.precision);
  fixed.optimizer = trained * optimizer_bytes(setup.optimizer, setup.precision);
  fixed.step_scratch = trained * step_scratch_bytes(setup.optimizer, setup.precision);
  for (auto* bytes : {&fixed.parameters, &fixed.gradients, &fixed.optimizer, &fixed.step_scratch}) *bytes /= split;
  const double per_layer = layers_of(shape);
  if (setup.steps_in_backward) {  // a layer's at a time
    fixed.gradients /= per_layer;
    fixed.step_scratch /= per_layer;
  }
  fixed.overhead = static_cast<double>(kDefaultOverhead.value());
  // Autocast keeps 16-bit copies of the weights it has cast until the backward pass no longer needs them; of sharded
  // weights, only the gathered ones.
  if (is_mixed(setup.precision) && !shards_parameters) fixed.overhead += 2 * trained / split;
  if (setup.world > 1) fixed.overhead += kCommunication;
  if (world > 1) {
    if (!shards_gradients) fixed.overhead += fixed.gradients;  // DDP's buckets are copies
  }
  if (shards_parameters) fixed.parameters /= world;
  if (shards_gradients) fixed.gradients /= world;
  if (shards_optimizer) {
    fixed.optimizer /= world;
    fixed.step_scratch /= world;
  }
  if constexpr (std::is_same_v<ShapeType, TransformerShape>) {
    // Two layers' weights are gathered at a time.
    if (shards_parameters && world > 1 && shape.layers > 0) {
      fixed.overhead += 2 * element(setup.precision) * shape.params / shape.layers / split;
    }
  }
  offload(fixed, setup, per_layer);
  model.sample = sample_memory(shape, setup);
  const double ranks = split * std::max(1U, setup.context);  // each has its part of every sequence
  model.sample.activations /= ranks;
  model.sample.validation /= ranks;
  model.slack = kReserved;
  return model;
}

MemoryModel built(const TransformerShape& shape, const TrainingSetup& setup) {
  auto model = from_shape(shape, setup);
  model.error = shape.error > 0 ? shape.error : kTransformerError;
  model.why = "formula for transformers: " + std::to_string(shape.layers) + " layers of " +
              std::to_string(shape.hidden) +
              (shape.like.empty() ? "" : ", as " + shape.like + " has them (the model itself is not in the table)") +
              ", not measured on this machine";
  return model;
}

MemoryModel built(const ImageShape& shape, const TrainingSetup& setup) {
  auto model = from_shape(shape, setup);
  model.error = shape.error;
  model.why =
      std::string{shape.counted ? "counted in a rehearsal of the model"
                  : shape.listed ? "activations per pixel from the table of models"
                               : "activations per pixel as networks usually have them (name one with --model)"} +
      (shape.counted && shape.width == shape.counted->size ? "" : ", scaled to the resolution") + "; not measured on this machine";
  return model;
}

MemoryModel built(const ComponentShape& shape, const TrainingSetup&) {
  MemoryModel model;
  model.fixed.parameters = static_cast<double>(shape.parameters.value());
  model.fixed.gradients = static_cast<double>(shape.gradients.value());
  model.fixed.optimizer = static_cast<double>(shape.optimizer.value());
  model.fixed.overhead = static_cast<double>(shape.overhead.value_or(Bytes{}).value());
  model.sample.activations = shape.activations_per_sample;
  model.sample.batch = shape.batch_per_sample;
  model.fixed.backward = shape.backward;
  if (shape.backward > 0 && shape.given_batch > 0) {
    model.steeper = {shape.backward / shape.given_batch, shape.given_batch};
  }
  model.error = kComponentError;
  model.why = shape.overhead
                  ? "the sum of the parts as given"
                  : "the sum of the parts as given, without overhead (a CUDA context takes 0.4 to 1.3 GiB more)";
  if (shape.backward > 0 && shape.given_batch > 0) {
    model.why +=
        "; gradients are not named, so " + format_bytes(Bytes{saturate<std::uint64_t>(shape.backward)}) +
        " of the activations are taken as theirs, which do not grow with the batch (the search takes all to grow)";
  }
  return model;
}

}  // namespace

MemoryModel analytic_model(const TrainingSetup& setup) {
  auto model = std::visit([&](const auto& shape) { return built(shape, setup); }, setup.shape);
  model.error *= setup.doubt;
  return model;
}

}  // namespace gputop
