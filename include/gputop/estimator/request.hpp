// A request to the estimator: the flags of `gputop estimate`, which are also the keys of a YAML's `estimate:` section.
// One table has all of them, with their names, help and parsers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"
#include "gputop/estimator/batch_search.hpp"
#include "gputop/estimator/memory_model.hpp"
#include "gputop/estimator/training_setup.hpp"

namespace gputop {

enum class RequestFamily : std::uint8_t { kTransformer, kCnn, kComponents };

struct Resolution {
  double width = 0;
  double height = 0;
};

// Bytes of the parts, if given.
struct ComponentBytes {
  std::optional<Bytes> parameters;
  std::optional<Bytes> gradients;
  std::optional<Bytes> optimizer;
  std::optional<Bytes> activations;  // at the request's batch
  std::optional<Bytes> batch;        // the same
  std::optional<Bytes> overhead;
};

// A model that is trained together with others: four encoders, or a backbone and its head.
struct TrainedPart {
  std::string text;                                        // as given
  std::vector<std::pair<std::string, std::string>> words;  // keys of a request, and their values
  double times = 1;                                        // this many copies, each with its own weights
  double passes = 1;  // how often a sample passes through it: its frames, its negatives
};

struct EstimateRequest {
  std::optional<RequestFamily> family;
  std::optional<std::string> model;
  std::optional<double> params;
  std::optional<double> trainable;
  std::optional<unsigned> layers;
  std::optional<unsigned> hidden;
  std::optional<unsigned> heads;
  std::optional<unsigned> kv_heads;
  std::optional<double> feed_forward;
  std::optional<bool> gated;
  std::optional<bool> tied;
  std::optional<double> experts;
  std::optional<double> active_experts;
  std::optional<double> vocab;
  std::optional<double> sequence;
  std::optional<Resolution> resolution;
  std::optional<double> classes;
  std::optional<std::uint64_t> batch;
  std::optional<std::uint64_t> accumulation;
  std::optional<unsigned> world;
  std::optional<Sharding> sharding;
  std::optional<unsigned> tensor;
  std::optional<unsigned> context;
  std::optional<Offload> offload;
  std::optional<bool> steps_in_backward;
  bool float8 = false;  // beside the precision: products in 8 bits
  std::optional<Precision> precision;
  std::optional<OptimizerKind> optimizer;
  std::optional<Checkpointing> checkpointing;
  std::optional<Attention> attention;
  std::optional<Logits> logits;
  std::optional<unsigned> base_bits;
  std::optional<ComponentBytes> components;
  std::optional<Bytes> per_sample;
  std::vector<TrainedPart> parts;  // in addition to what the rest describes
  std::vector<MemoryPoint> measured;
  std::vector<ThroughputPoint> throughput;
  std::optional<Bytes> gpu_memory;
  std::optional<std::string> gpu;
  std::optional<Bytes> neighbours;
  std::optional<double> margin;
  std::optional<std::uint64_t> max_batch;
  std::optional<std::uint64_t> effective_target;
  std::optional<std::uint64_t> dataset;  // samples per epoch
  std::optional<std::string> price;      // the file of cards and their price per hour
};

struct RequestKey {
  std::string_view name;  // "gpu-memory": the flag without its dashes, and the YAML key
  std::string_view type;
  std::string_view help;
  // Stores the value, or says what is wrong with it (and leaves the request unchanged).
  std::optional<std::string> (*read)(std::string_view text, EstimateRequest& request);
};

std::span<const RequestKey> request_keys();
// nullptr if there is no such key; "gpu_memory" is "gpu-memory".
const RequestKey* find_request_key(std::string_view name);

}  // namespace gputop
