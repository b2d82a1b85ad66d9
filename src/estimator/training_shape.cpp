// Turns a request into the setup it describes: see estimate.hpp.
#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {
namespace {

constexpr double kUnknownPixels = 2500;  // bytes: the median of the table, for a network that is not in it
constexpr double kUnknownError = 0.60;
constexpr double kHalfRatio = 0.6;

Error missing(std::string_view key, std::string_view why) {
  return {Error::Kind::kInvalid, std::string{key} + ": " + std::string{why}};
}

template <class T>
T either(const std::optional<T>& given, T otherwise) {
  return given ? *given : otherwise;
}

// The sequence of a vision transformer: its patches and one class token.
double patches(const NamedModel& model, const EstimateRequest& request) {
  const auto resolution = request.resolution.value_or(Resolution{model.width, model.height});
  return std::floor(resolution.width / model.patch) * std::floor(resolution.height / model.patch) + 1;
}

Result<TransformerShape> transformer(const EstimateRequest& request, const NamedModel& model) {
  TransformerShape shape;
  shape.layers = either(request.layers, model.layers);
  shape.hidden = either(request.hidden, model.hidden);
  if (shape.layers == 0)
    return missing("layers", "a transformer needs its number of layers (try --layers 24, or --model bert-large)");
  if (shape.hidden == 0)
    return missing("hidden", "a transformer needs its width (try --hidden 1024, or --model bert-large)");
  constexpr unsigned kUsualHead = 64;
  shape.heads = either(request.heads, model.heads != 0 ? model.heads : std::max(1U, shape.hidden / kUsualHead));
  shape.kv_heads = either(request.kv_heads, model.kv_heads != 0 ? model.kv_heads : shape.heads);
  if (shape.kv_heads > shape.heads) {
    return missing("kv-heads",
                   std::to_string(shape.kv_heads) + " are more than the " + std::to_string(shape.heads) + " heads");
  }
  const auto divides = [](std::string_view key, unsigned part, std::string_view whole_name, unsigned whole) {
    return missing(
        key, std::to_string(part) + " does not divide the " + std::to_string(whole) + " of " + std::string{whole_name});
  };
  if (request.heads && (*request.heads == 0 || shape.hidden % *request.heads != 0))
    return divides("heads", *request.heads, "--hidden", shape.hidden);
  if (request.kv_heads && (*request.kv_heads == 0 || shape.heads % *request.kv_heads != 0)) {
    return divides("kv-heads", *request.kv_heads, "--heads", shape.heads);
  }
  shape.vocab = either(request.vocab, model.vocab);
  const bool grouped = request.kv_heads && *request.kv_heads < shape.heads;  // such models also gate
  shape.gated = either(request.gated, model.gated || grouped);
  shape.tied = either(request.tied, model.tied);
  shape.experts = either(request.experts, model.experts);
  constexpr double kUsuallyActive = 2;
  shape.active_experts = either(request.active_experts, model.active_experts > 1 ? model.active_experts : std::min(shape.experts, kUsuallyActive));
  if (shape.active_experts > shape.experts)
    return missing("active-experts", format_number(shape.active_experts, 0) + " are more than the " + format_number(shape.experts, 0) + " experts");
  shape.error = model.error;
  shape.like = model.like;
  shape.sequence = either(request.sequence, model.patch != 0 ? patches(model, request) : model.sequence);
  if (!(shape.sequence > 0))
    return missing("seq", "a transformer's memory depends on the tokens of a sample (try --seq 512)");
  const double width = shape.hidden;
  const double embeddings = shape.vocab * width * (shape.tied ? 1 : 2);
  const double matrices = shape.gated ? 3 : 2;
  const double attention = (2 + 2.0 * shape.kv_heads / shape.heads) * width * width;
  const bool said = request.feed_forward || model.feed_forward > 0;
  shape.feed_forward = either(request.feed_forward, model.feed_forward > 0 ? model.feed_forward : 4 * width);
  constexpr double kLayerWeights = 12;  // h² of attention and feed-forward together, where nothing says more
  const bool counted = said || shape.experts > 1;
  const double layer = counted ? attention + matrices * shape.experts * width * shape.feed_forward : kLayerWeights * width * width;
  const bool listed = model.params > 0 && model.layers == shape.layers && model.hidden == shape.hidden && model.experts == shape.experts &&
                      (!request.feed_forward || *request.feed_forward == model.feed_forward);
  shape.params = either(request.params, listed ? model.params : layer * shape.layers + embeddings);
  if (!said && shape.gated) {
    // Three matrices share what attention leaves of a layer's weights.
    const double each = (shape.params - embeddings) / shape.layers;
    if (each > attention) shape.feed_forward = (each - attention) / (3 * shape.experts * width);
  }
  return shape;
}

// What a rehearsal counted, per pixel: the attention that was asked for, scaled to the resolution.
void count_in(ImageShape& shape, const CountedStep& counted, const EstimateRequest& request) {
  constexpr double kCountedError = 0.15;
  constexpr double kOtherSize = 0.25;  // attention grows faster than the pixels
  const double pixels = counted.size * counted.size;
  const bool eager = request.attention == Attention::kEager && counted.saved_eager > 0;
  const double scores = eager ? counted.saved_eager / counted.saved_half : 1;
  shape.counted = counted;
  shape.bytes_per_pixel = counted.saved_single * scores / pixels;
  shape.half_ratio = counted.saved_half / counted.saved_single;
  shape.error = shape.width == counted.size && shape.height == counted.size ? kCountedError : kOtherSize;
}

Result<ImageShape> image(const EstimateRequest& request, const NamedModel& model) {
  ImageShape shape;
  const auto resolution = request.resolution.value_or(Resolution{model.width, model.height});
  shape.width = resolution.width;
  shape.height = resolution.height;
  if (!(shape.width > 0))
    return missing("resolution", "the memory of images depends on their size (try --resolution 512x1024)");
  const bool known = model.bytes_per_pixel > 0 || model.counted;
  shape.params = either(request.params, model.params);
  if (!(shape.params > 0))
    return missing("model", "a network needs a name of models.yaml (try --model resnet50), or --params 25M");
  shape.bytes_per_pixel = known ? model.bytes_per_pixel : kUnknownPixels;
  shape.listed = known;
  shape.class_bytes_per_pixel = model.class_bytes_per_pixel;
  constexpr double kUsualClasses = 19;  // Cityscapes'
  const bool dense = model.class_bytes_per_pixel > 0;
  shape.classes = either(request.classes, model.classes > 0 || !dense ? model.classes : kUsualClasses);
  shape.half_ratio = model.half_ratio > 0 ? model.half_ratio : kHalfRatio;
  constexpr double kKnownError = 0.25;
  shape.error = model.error > 0 ? model.error : known ? kKnownError : kUnknownError;
  if (model.counted) count_in(shape, *model.counted, request);
  return shape;
}

Result<ComponentShape> components(const EstimateRequest& request) {
  const auto parts = request.components.value_or(ComponentBytes{});
  ComponentShape shape;
  shape.parameters = parts.parameters.value_or(Bytes{});
  shape.gradients = parts.gradients.value_or(Bytes{});
  shape.optimizer = parts.optimizer.value_or(Bytes{});
  shape.overhead = parts.overhead;
  if ((parts.activations || parts.batch) && !request.batch) {
    return missing("components", "activations= and batch= are those of a batch: say which (try --batch 8)");
  }
  const auto each = [&](Bytes bytes) {
    return static_cast<double>(bytes.value()) / static_cast<double>(*request.batch);
  };
  // Parameters and optimizer are given without gradients. Gradients exist too, as large as the parameters, and are part
  // of the stated activations ("forward and backward") or of the peak. At least half of the activations are assumed to
  // grow.
  const double unnamed =
      parts.parameters && parts.optimizer && !parts.gradients ? static_cast<double>(parts.parameters->value()) : 0;
  if (request.per_sample) {
    shape.activations_per_sample = static_cast<double>(request.per_sample->value());
  } else if (parts.activations) {
    shape.backward = std::min(unnamed, static_cast<double>(parts.activations->value()) / 2);
    shape.given_batch = static_cast<double>(*request.batch);
    shape.activations_per_sample = each(*parts.activations) - shape.backward / shape.given_batch;
  } else if (!request.measured.empty()) {
    shape.backward = unnamed;
  } else {
    return missing("per-sample",
                   "what a sample adds is not known (try --per-sample 0.375GB, or activations= among the components)");
  }
  if (parts.batch) shape.batch_per_sample = each(*parts.batch);
  return shape;
}

// A relative of the table's model, perhaps: the more words of its name nobody knows, the farther away it may be.
double doubt_of(const std::vector<std::string>& words) {
  constexpr double kFirst = 1.25;
  constexpr double kEach = 0.15;
  constexpr double kMostDoubt = 2;
  constexpr std::array<std::string_view, 6> kOtherShape{"moe", "mixture", "experts", "deep", "wide", "multimodal"};
  const bool other = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(kOtherShape.begin(), kOtherShape.end(), word) != kOtherShape.end();
  });
  if (words.empty()) return 1;
  return other ? kMostDoubt : std::min(kMostDoubt, kFirst + kEach * static_cast<double>(words.size() - 1));
}

RequestFamily family_of(const EstimateRequest& request, const std::optional<NamedModel>& model) {
  if (request.family) return *request.family;
  if (request.components || request.per_sample) return RequestFamily::kComponents;
  if (model) return model->family == ModelFamily::kTransformer ? RequestFamily::kTransformer : RequestFamily::kCnn;
  return request.resolution && !request.layers ? RequestFamily::kCnn : RequestFamily::kTransformer;
}

}  // namespace

bool describes_model(const EstimateRequest& request) {
  return request.family || request.model || request.params || request.layers || request.hidden || request.components ||
         request.per_sample;
}

Result<TrainingSetup> training_setup(const EstimateRequest& request, const ModelTable& models) {
  TrainingSetup setup;
  setup.trainable = request.trainable;
  setup.precision = either(request.precision, Precision::kFp32);
  setup.optimizer = either(request.optimizer, OptimizerKind::kAdamW);
  setup.checkpointing = either(request.checkpointing, Checkpointing::kNone);
  setup.attention = either(request.attention, Attention::kFlash);  // PyTorch 2's default
  setup.logits = either(request.logits, Logits::kFull);
  setup.base_bits = request.base_bits;
  setup.accumulation = either<std::uint64_t>(request.accumulation, 1);
  setup.world = either(request.world, 1U);
  setup.sharding = either(request.sharding, Sharding::kNone);
  setup.tensor = either(request.tensor, 1U);
  setup.context = either(request.context, 1U);
  setup.offload = either(request.offload, Offload::kNone);
  setup.steps_in_backward = either(request.steps_in_backward, false);
  const auto split = static_cast<std::uint64_t>(setup.tensor) * setup.context;
  if (!request.world && split > 1) setup.world = static_cast<unsigned>(split);
  if (setup.world % split != 0)
    return missing("world", std::to_string(setup.world) + " GPUs are no multiple of the " + std::to_string(split) +
                                " that --tensor-parallel and --context-parallel take");

  std::optional<NamedModel> model;
  if (request.model && request.family != RequestFamily::kComponents) {
    auto found = find_model(models, *request.model);
    // A complete shape needs no table.
    const bool shaped = request.layers && request.hidden && request.sequence;
    const auto sized = found || shaped ? std::nullopt : model_of_size(models, *request.model);
    if (!found && !shaped && !sized) return Error{found.error().kind, "model: " + found.error().message};
    if (found) setup.doubt = doubt_of(unknown_words(*request.model, *found));
    if (found) model = *std::move(found);
    if (sized) model = *sized;
  }
  const auto named = model.value_or(NamedModel{});
  const auto take = [&](auto shape) -> Result<TrainingSetup> {
    if (!shape) return shape.error();
    if constexpr (requires { shape->params; }) {
      if (setup.trainable && *setup.trainable > shape->params) {
        return missing("trainable", "more than the model's " + format_number(shape->params / 1e6, 1) + "M parameters");
      }
    }
    setup.shape = *shape;
    return setup;
  };
  switch (family_of(request, model)) {
    case RequestFamily::kTransformer:
      if (model && model->family == ModelFamily::kCnn && request.family) {
        return missing("family", model->name + " is not a transformer (leave --family out)");
      }
      return take(transformer(request, named));
    case RequestFamily::kCnn:
      // A vision transformer may also be requested as an image model.
      if (model && model->family == ModelFamily::kTransformer) return take(transformer(request, named));
      return take(image(request, named));
    case RequestFamily::kComponents: return take(components(request));
  }
  return missing("family", "is not known");
}

}  // namespace gputop
