// The table of keys: see request.hpp.
#include "gputop/estimator/request.hpp"

#include <algorithm>
#include <array>

#include "estimator/parts.hpp"
#include "estimator/request_values.hpp"
#include "gputop/core/closest_word.hpp"

namespace gputop {
namespace {

using Complaint = std::optional<std::string>;

template <class T, class Member>
Complaint keep(const Result<T>& value, Member& member) {
  if (!value) return value.error().message;
  member = *value;
  return std::nullopt;
}

template <auto member>
Complaint read_count(std::string_view text, EstimateRequest& request) {
  const auto count = parse_count(text);
  if (count && !(*count > 0)) return quoted_value(text) + " must be more than 0";
  return keep(count, request.*member);
}

template <auto member, std::uint64_t most>
Complaint read_whole(std::string_view text, EstimateRequest& request) {
  const auto value = whole_number(text, 1, most);
  if (!value) return value.error().message;
  using Number = typename std::remove_reference_t<decltype(request.*member)>::value_type;
  request.*member = static_cast<Number>(*value);
  return std::nullopt;
}

template <auto member, auto parse>
Complaint read_value(std::string_view text, EstimateRequest& request) {
  return keep(parse(text), request.*member);
}

template <auto member>
Complaint read_text(std::string_view text, EstimateRequest& request) {
  if (text.empty()) return "is empty";
  request.*member = std::string{text};
  return std::nullopt;
}

// One word of a list; `words` appears in the message.
template <auto member, auto parse>
Complaint read_word(std::string_view text, EstimateRequest& request, std::span<const std::string_view> words) {
  if (const auto value = parse(text)) {
    request.*member = *value;
    return std::nullopt;
  }
  std::string message = quoted_value(text) + " is not one of";
  for (const auto word : words) message += " " + std::string{word};
  return message + did_you_mean(text, words);
}

std::optional<RequestFamily> parse_family(std::string_view text) {
  if (text == "transformer") return RequestFamily::kTransformer;
  if (text == "cnn") return RequestFamily::kCnn;
  if (text == "components") return RequestFamily::kComponents;
  return std::nullopt;
}

#define GPUTOP_WORDS(function, member, parse, ...)                                                               \
  Complaint function(std::string_view text, EstimateRequest& request) {                                          \
    static constexpr std::array kWords{__VA_ARGS__};                                                             \
    return read_word<&EstimateRequest::member, parse>(text, request, std::span<const std::string_view>{kWords}); \
  }
using Word = std::string_view;
GPUTOP_WORDS(read_family, family, parse_family, Word{"transformer"}, Word{"cnn"}, Word{"components"})
GPUTOP_WORDS(read_shard,
             sharding,
             parse_sharding,
             Word{"none"},
             Word{"zero1"},
             Word{"zero2"},
             Word{"zero3"},
             Word{"fsdp"})
GPUTOP_WORDS(read_offload, offload, parse_offload, Word{"none"}, Word{"optimizer"}, Word{"all"})
GPUTOP_WORDS(read_plain_precision,
             precision,
             parse_precision,
             Word{"fp32"},
             Word{"tf32"},
             Word{"amp-fp16"},
             Word{"amp-bf16"},
             Word{"bf16"},
             Word{"float8"})
GPUTOP_WORDS(read_optimizer,
             optimizer,
             parse_optimizer,
             Word{"adamw"},
             Word{"adam"},
             Word{"sgd"},
             Word{"sgd-momentum"},
             Word{"adafactor"},
             Word{"adam8bit"})
GPUTOP_WORDS(read_checkpointing, checkpointing, parse_checkpointing, Word{"none"}, Word{"selective"}, Word{"full"})
GPUTOP_WORDS(read_attention, attention, parse_attention, Word{"eager"}, Word{"flash"})
GPUTOP_WORDS(read_logits, logits, parse_logits, Word{"full"}, Word{"chunked"})
#undef GPUTOP_WORDS

// What is kept for the backward pass stays in 16 bits: for memory, float8 is bf16 autocast.
Complaint read_precision(std::string_view text, EstimateRequest& request) {
  const bool float8 = text == "float8" || text == "fp8";
  const auto wrong = read_plain_precision(float8 ? "amp-bf16" : text, request);
  if (!wrong) request.float8 = float8;
  return wrong;
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  return std::nullopt;
}

template <auto member>
Complaint read_flag(std::string_view text, EstimateRequest& request) {
  const auto value = parse_flag(text);
  if (!value) return quoted_value(text) + " is not yes or no";
  request.*member = *value;
  return std::nullopt;
}

Complaint read_base_bits(std::string_view text, EstimateRequest& request) {
  if (text != "4" && text != "8") return quoted_value(text) + " is not 4 or 8";
  request.base_bits = text == "4" ? 4 : 8;
  return std::nullopt;
}

Complaint read_vocab(std::string_view text, EstimateRequest& request) {
  return keep(parse_count(text), request.vocab);  // 0 is valid: no logits
}

Complaint read_per_sample(std::string_view text, EstimateRequest& request) {
  const auto size = size_with_unit(text);
  if (size && *size == Bytes{}) return quoted_value(text) + " must be more than 0 (try 0.375GB)";
  return keep(size, request.per_sample);
}

using R = EstimateRequest;
constexpr std::uint64_t kBatches = 1ULL << 24U;
constexpr std::uint64_t kWidths = 1'000'000;

constexpr std::array kKeys{
    RequestKey{"family", "NAME", "transformer, cnn or components (default: by what else is given)", read_family},
    RequestKey{"model", "NAME", "a model of models.yaml: resnet50, deeplabv3plus_r101-d8, llama-2-7b, …",
               read_text<&R::model>},
    RequestKey{"params", "N", "parameters: 337M, 1.3B", read_count<&R::params>},
    RequestKey{"trainable", "N", "of them, trained (LoRA); default all", read_count<&R::trainable>},
    RequestKey{"layers", "N", "transformer: layers", read_whole<&R::layers, kWidths>},
    RequestKey{"hidden", "N", "transformer: width", read_whole<&R::hidden, kWidths>},
    RequestKey{"heads", "N", "transformer: attention heads", read_whole<&R::heads, kWidths>},
    RequestKey{"kv-heads", "N", "transformer: key and value heads, when grouped", read_whole<&R::kv_heads, kWidths>},
    RequestKey{"feed-forward", "N", "transformer: width between the two feed-forward products", read_count<&R::feed_forward>},
    RequestKey{"gated", "yes|no", "transformer: a gate beside it, as in Llama", read_flag<&R::gated>},
    RequestKey{"tied", "yes|no", "transformer: one table for words and logits", read_flag<&R::tied>},
    RequestKey{"experts", "N", "transformer: feed-forward layers of each block, of which a token passes some", read_count<&R::experts>},
    RequestKey{"active-experts", "N", "of them, for a token (default 2)", read_count<&R::active_experts>},
    RequestKey{"vocab", "N", "transformer: vocabulary, for the logits (0: none, a classifier)", read_vocab},
    RequestKey{"seq", "N", "transformer: tokens of a sample", read_count<&R::sequence>},
    RequestKey{"resolution", "HxW", "images: 512x1024, or 224 for a square", read_value<&R::resolution, resolution_of>},
    RequestKey{"classes", "N", "segmentation: classes predicted per pixel (default 19)", read_count<&R::classes>},
    RequestKey{"batch", "N", "state the total at this batch, too (of one GPU, one micro-step)",
               read_whole<&R::batch, kBatches>},
    RequestKey{"accumulation", "N", "micro-steps per optimizer step", read_whole<&R::accumulation, kBatches>},
    RequestKey{"world", "N", "GPUs that train together", read_whole<&R::world, kWidths>},
    RequestKey{"shard", "HOW", "none, zero1, zero2, zero3 (fsdp is zero3)", read_shard},
    RequestKey{"tensor-parallel", "N", "of these GPUs, that split each layer (with its sequence parallelism)", read_whole<&R::tensor, kWidths>},
    RequestKey{"context-parallel", "N", "of these GPUs, that split each sequence", read_whole<&R::context, kWidths>},
    RequestKey{"offload", "WHAT", "to the host's memory: none, optimizer, all (weights and gradients, too)", read_offload},
    RequestKey{"precision", "NAME", "fp32, tf32, amp-fp16, amp-bf16, bf16, float8 (default fp32)", read_precision},
    RequestKey{"optimizer", "NAME", "adamw, adam, sgd, sgd-momentum, adafactor, adam8bit (default adamw)",
               read_optimizer},
    RequestKey{"optimizer-in-backward", "yes|no", "each layer is stepped as soon as it has its gradients, which are then freed",
               read_flag<&R::steps_in_backward>},
    RequestKey{"checkpointing", "HOW", "none, selective, full", read_checkpointing},
    RequestKey{"attention", "HOW", "eager or flash (default flash: PyTorch 2 stores no scores)", read_attention},
    RequestKey{"logits", "HOW", "full, or chunked: the loss is computed piece by piece", read_logits},
    RequestKey{"base-bits", "N", "8 or 4: frozen weights are quantized (QLoRA)", read_base_bits},
    RequestKey{
        "components", "LIST",
        "parameters=0.2GB,gradients=0.2GB,optimizer=0.8GB,overhead=1.5GB; also activations= and batch=, at --batch",
        read_value<&R::components, components_of>},
    RequestKey{"per-sample", "SIZE", "activations of one sample: 0.375GB", read_per_sample},
    RequestKey{"parts", "LIST",
               "models trained with it: \"segformer-b0 resolution=320; layers=3 hidden=64 seq=400\"; times=4: four of them, passes=29: "
               "a sample goes through it so often",
               read_value<&R::parts, parts_of>},
    RequestKey{"measured", "LIST", "peaks that were seen, BATCH:SIZE: 32:7.0GB,48:7.8GB",
               read_value<&R::measured, points_of>},
    RequestKey{"throughput", "LIST", "samples/s that were seen, BATCH:RATE: the search stops at the knee",
               read_value<&R::throughput, rates_of>},
    RequestKey{"gpu-memory", "GIB", "memory of the GPU in GiB: 24", read_value<&R::gpu_memory, gibibytes>},
    RequestKey{"gpu", "NAME", "a card of gpus.yaml (\"RTX 3090\"), several (\"RTX 3090,A100 80GB\") or all to compare them, or the number of a GPU here",
               read_text<&R::gpu>},
    RequestKey{"neighbours", "SIZE", "memory that others use on that GPU: 2GB",
               read_value<&R::neighbours, size_with_unit>},
    RequestKey{"margin", "SHARE", "of the free memory to use at most (default 0.85)", read_value<&R::margin, share>},
    RequestKey{"max-batch", "N", "search no further", read_whole<&R::max_batch, kBatches>},
    RequestKey{"target-effective-batch", "N", "batch × accumulation to keep (default: as it is)",
               read_whole<&R::effective_target, kBatches>},
    RequestKey{"dataset", "N", "samples of an epoch: no batch so large that fewer than 90 steps are left",
               read_whole<&R::dataset, 1'000'000'000'000>},
    RequestKey{"price", "FILE", "YAML with a price per hour for each card (A100 80GB: 1.89), for the cost of an epoch of --dataset samples",
               read_text<&R::price>},
};

}  // namespace

std::span<const RequestKey> request_keys() {
  return kKeys;
}

const RequestKey* find_request_key(std::string_view name) {
  std::string dashed{name};
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  const auto found =
      std::find_if(kKeys.begin(), kKeys.end(), [&](const RequestKey& key) { return key.name == dashed; });
  return found == kKeys.end() ? nullptr : &*found;
}

}  // namespace gputop
