// What a user asks the estimator: the flags of `gputop estimate`, which are also the keys of a YAML's `estimate:`
// section. One table holds them all: names, help and how each is read.
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

// Bytes of the parts, as far as given.
struct ComponentBytes {
  std::optional<Bytes> parameters;
  std::optional<Bytes> gradients;
  std::optional<Bytes> optimizer;
  std::optional<Bytes> activations;  // at the request's batch
  std::optional<Bytes> batch;        // the same
  std::optional<Bytes> overhead;
};

// A model that is trained together with others: four encoders, a backbone and the head behind it.
struct TrainedPart {
  std::string text;  // as it was given
  std::vector<std::pair<std::string, std::string>> words;  // keys of a request, and their values
  double times = 1;   // so many of it, each with weights of its own
  double passes = 1;  // so often a sample goes through it: its frames, its negatives
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
  std::optional<double> vocab;
  std::optional<double> sequence;
  std::optional<Resolution> resolution;
  std::optional<double> classes;
  std::optional<std::uint64_t> batch;
  std::optional<std::uint64_t> accumulation;
  std::optional<unsigned> world;
  std::optional<Sharding> sharding;
  std::optional<Precision> precision;
  std::optional<OptimizerKind> optimizer;
  std::optional<Checkpointing> checkpointing;
  std::optional<Attention> attention;
  std::optional<Logits> logits;
  std::optional<unsigned> base_bits;
  std::optional<ComponentBytes> components;
  std::optional<Bytes> per_sample;
  std::vector<TrainedPart> parts;  // beside what the rest describes
  std::vector<MemoryPoint> measured;
  std::vector<ThroughputPoint> throughput;
  std::optional<Bytes> gpu_memory;
  std::optional<std::string> gpu;
  std::optional<Bytes> neighbours;
  std::optional<double> margin;
  std::optional<std::uint64_t> max_batch;
  std::optional<std::uint64_t> effective_target;
  std::optional<std::uint64_t> dataset;  // samples of an epoch
};

struct RequestKey {
  std::string_view name;  // "gpu-memory": the flag without its dashes, and the YAML's key
  std::string_view type;
  std::string_view help;
  // Takes the value over, or says what is wrong with it (and leaves the request as it is).
  std::optional<std::string> (*read)(std::string_view text, EstimateRequest& request);
};

std::span<const RequestKey> request_keys();
// nullptr when there is none of that name; "gpu_memory" is "gpu-memory".
const RequestKey* find_request_key(std::string_view name);

}  // namespace gputop
