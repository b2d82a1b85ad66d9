#include "gputop/estimator/training_setup.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace gputop {
namespace {

constexpr std::array<std::string_view, 3> kCheckpointing{"none", "selective", "full"};
constexpr std::array<std::string_view, 2> kAttention{"eager", "flash"};
constexpr std::array<std::string_view, 4> kSharding{"none", "zero1", "zero2", "zero3"};
constexpr std::array<std::string_view, 2> kLogits{"full", "chunked"};
constexpr std::array<std::string_view, 3> kOffload{"none", "optimizer", "all"};

std::string lower(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), lower(text));
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view to_string(Checkpointing value) {
  return kCheckpointing.at(static_cast<std::size_t>(value));
}
std::string_view to_string(Attention value) {
  return kAttention.at(static_cast<std::size_t>(value));
}
std::string_view to_string(Sharding value) {
  return kSharding.at(static_cast<std::size_t>(value));
}
std::string_view to_string(Logits value) {
  return kLogits.at(static_cast<std::size_t>(value));
}

std::string_view to_string(Offload value) {
  return kOffload.at(static_cast<std::size_t>(value));
}

std::optional<Checkpointing> parse_checkpointing(std::string_view text) {
  const auto word = lower(text);
  if (word == "true") return Checkpointing::kFull;  // gradient_checkpointing: true
  if (word == "false") return Checkpointing::kNone;
  return find<Checkpointing>(kCheckpointing, word);
}

std::optional<Attention> parse_attention(std::string_view text) {
  const auto word = lower(text);
  if (word == "sdpa" || word == "flash_attention_2") return Attention::kFlash;
  return find<Attention>(kAttention, word);
}

std::optional<Sharding> parse_sharding(std::string_view text) {
  const auto word = lower(text);
  if (word == "fsdp" || word == "full_shard" || word == "stage3") return Sharding::kZero3;
  if (word == "stage2" || word == "shard_grad_op") return Sharding::kZero2;
  if (word == "stage1") return Sharding::kZero1;
  if (word == "ddp") return Sharding::kNone;
  return find<Sharding>(kSharding, word);
}

std::optional<Logits> parse_logits(std::string_view text) {
  return find<Logits>(kLogits, text);
}

std::optional<Offload> parse_offload(std::string_view text) {
  const auto word = lower(text);
  if (word == "cpu" || word == "true") return Offload::kAll;
  if (word == "false") return Offload::kNone;
  return find<Offload>(kOffload, word);
}

}  // namespace gputop
