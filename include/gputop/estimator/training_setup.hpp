// What is trained and how, as far as it affects memory. Plain values; the three shapes are three ways to describe a
// model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gputop/core/training.hpp"
#include "gputop/core/units.hpp"
#include "gputop/estimator/counted_step.hpp"

namespace gputop {

enum class Checkpointing : std::uint8_t { kNone, kSelective, kFull };  // of activations
enum class Attention : std::uint8_t { kEager, kFlash };
enum class Sharding : std::uint8_t { kNone, kZero1, kZero2, kZero3 };  // FSDP's full sharding is kZero3
enum class Logits : std::uint8_t { kFull, kChunked };                  // the loss over all logits at once, or in pieces
enum class Offload : std::uint8_t { kNone, kOptimizer, kAll };         // kept in the host's memory: optimizer states, or weights and gradients, too

std::string_view to_string(Checkpointing value);
std::string_view to_string(Attention value);
std::string_view to_string(Sharding value);
std::string_view to_string(Logits value);
std::string_view to_string(Offload value);
std::optional<Checkpointing> parse_checkpointing(std::string_view text);
std::optional<Attention> parse_attention(std::string_view text);
std::optional<Sharding> parse_sharding(std::string_view text);  // also "fsdp" and "stage2"
std::optional<Logits> parse_logits(std::string_view text);
std::optional<Offload> parse_offload(std::string_view text);  // also "cpu": all of it

// Language models, and vision transformers with their patches as the sequence.
struct TransformerShape {
  double params = 0;
  unsigned layers = 0;
  unsigned hidden = 0;
  unsigned heads = 0;
  unsigned kv_heads = 0;  // same as heads, unless grouped
  double feed_forward = 0;    // of one expert, where there are several
  double experts = 1;         // feed-forward layers of which a token passes through some
  double active_experts = 1;
  double vocab = 0;  // 0: no logits over a vocabulary
  double sequence = 0;
  bool gated = false;  // SwiGLU and the like: two projections into the feed-forward layer, RMS norms
  bool tied = false;   // one table for embedding and logits
  double error = 0;    // as a share; 0: the formula's own
  std::string like;    // the model whose shape it borrows
};

// Convolutional networks, segmentation, detection: a cost per pixel, measured once per family and scaled by the
// resolution.
struct ImageShape {
  double params = 0;
  double bytes_per_pixel = 0;        // activations of a sample in fp32, at the input's resolution
  double class_bytes_per_pixel = 0;  // for each class: dense predictions and their loss
  double classes = 0;
  double width = 0;
  double height = 0;
  double half_ratio = 1;  // activations with AMP ÷ without: never assume a half
  double error = 0;       // of the table's entry, as a share
  bool listed = true;     // false: not in the table; uses a typical cost per pixel
  std::optional<CountedStep> counted;
};

// The parts in bytes: from the user, a paper, or a profiler.
struct ComponentShape {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  std::optional<Bytes> overhead;
  double activations_per_sample = 0;  // bytes
  double batch_per_sample = 0;
  double backward = 0;     // part of the given activations that are unnamed gradients
  double given_batch = 0;  // the batch of the given activations
};

using Shape = std::variant<TransformerShape, ImageShape, ComponentShape>;

struct TrainingSetup {
  Shape shape;
  std::optional<double> trainable;  // trained parameters; nullopt: all
  Precision precision = Precision::kFp32;
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  Checkpointing checkpointing = Checkpointing::kNone;
  Attention attention = Attention::kEager;
  Logits logits = Logits::kFull;
  std::optional<unsigned> base_bits;  // of quantised weights that are not trained (QLoRA): 8 or 4
  std::uint64_t accumulation = 1;
  unsigned world = 1;
  Sharding sharding = Sharding::kNone;
  unsigned tensor = 1;   // ranks that split each layer among them, with sequence parallelism
  unsigned context = 1;  // ranks that split each sequence
  Offload offload = Offload::kNone;
  bool steps_in_backward = false;  // each layer's gradients are used and freed at once
  double doubt = 1;  // factor on the band: the name has words that the table does not know
};

}  // namespace gputop
