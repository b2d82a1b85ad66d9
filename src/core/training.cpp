#include "gputop/core/training.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gputop {
namespace {

constexpr std::array<std::string_view, 5> kPrecisions = {"fp32", "tf32", "amp-fp16", "amp-bf16", "bf16"};
constexpr std::array<std::string_view, 7> kOptimizers = {"sgd", "sgd-momentum", "adam", "adamw", "adafactor", "adam8bit", "other"};

// Lower case, letters and digits only, the part after the last dot: "torch.optim.AdamW" → "adamw".
std::string bare(std::string_view text) {
  if (const auto dot = text.rfind('.'); dot != std::string_view::npos) text.remove_prefix(dot + 1);
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto wanted = bare(text);
  const auto found = std::find_if(names.begin(), names.end(), [&](std::string_view name) { return bare(name) == wanted; });
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view to_string(Precision precision) { return kPrecisions.at(static_cast<std::size_t>(precision)); }
std::string_view to_string(OptimizerKind optimizer) { return kOptimizers.at(static_cast<std::size_t>(optimizer)); }

std::optional<Precision> parse_precision(std::string_view text) { return find_name<Precision>(kPrecisions, text); }
std::optional<OptimizerKind> parse_optimizer(std::string_view text) { return find_name<OptimizerKind>(kOptimizers, text); }

}  // namespace gputop
