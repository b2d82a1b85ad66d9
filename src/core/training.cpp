#include "gputop/core/training.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gputop {
namespace {

constexpr std::array<std::string_view, 5> kPrecisions = {"fp32", "tf32", "amp-fp16", "amp-bf16", "bf16"};
constexpr std::array<std::string_view, 7> kOptimizers = {"sgd",       "sgd-momentum", "adam", "adamw",
                                                         "adafactor", "adam8bit",     "other"};

// Lower case, letters and digits only, the part after the last dot: "torch.optim.AdamW" → "adamw".
std::string bare(std::string_view text) {
  if (const auto dot = text.rfind('.'); dot != std::string_view::npos) text.remove_prefix(dot + 1);
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// Other frameworks' names for the same thing; keys in the form that bare() returns.
template <class Enum>
struct Alias {
  std::string_view name;
  Enum value;
};
constexpr std::array<Alias<Precision>, 18> kPrecisionAliases{{
    {"float32", Precision::kFp32},
    {"32", Precision::kFp32},
    {"32true", Precision::kFp32},
    {"single", Precision::kFp32},
    {"no", Precision::kFp32},
    {"fp16", Precision::kAmpFp16},
    {"float16", Precision::kAmpFp16},
    {"half", Precision::kAmpFp16},
    {"16", Precision::kAmpFp16},
    {"16mixed", Precision::kAmpFp16},
    {"fp16mixed", Precision::kAmpFp16},
    {"amp", Precision::kAmpFp16},
    {"bf16mixed", Precision::kAmpBf16},
    {"bfloat16mixed", Precision::kAmpBf16},
    {"bfloat16", Precision::kBf16},
    {"bf16true", Precision::kBf16},
    {"fp16amp", Precision::kAmpFp16},
    {"bf16amp", Precision::kAmpBf16},
}};
constexpr std::array<Alias<OptimizerKind>, 11> kOptimizerAliases{{
    {"adamwtorch", OptimizerKind::kAdamW},
    {"adamwtorchfused", OptimizerKind::kAdamW},
    {"adamwhf", OptimizerKind::kAdamW},
    {"fusedadam", OptimizerKind::kAdam},
    {"decoupledadamw", OptimizerKind::kAdamW},
    {"adamwbnb8bit", OptimizerKind::kAdam8bit},
    {"adamw8bit", OptimizerKind::kAdam8bit},
    {"pagedadamw8bit", OptimizerKind::kAdam8bit},
    {"pagedadamw", OptimizerKind::kAdamW},
    {"momentum", OptimizerKind::kSgdMomentum},
    {"adafactorhf", OptimizerKind::kAdafactor},
}};

template <class Enum, std::size_t N>
std::optional<Enum> find_alias(const std::array<Alias<Enum>, N>& aliases, std::string_view text) {
  const auto wanted = bare(text);
  for (const auto& [name, value] : aliases) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto wanted = bare(text);
  const auto found =
      std::find_if(names.begin(), names.end(), [&](std::string_view name) { return bare(name) == wanted; });
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view to_string(Precision precision) {
  return kPrecisions.at(static_cast<std::size_t>(precision));
}
std::string_view to_string(OptimizerKind optimizer) {
  return kOptimizers.at(static_cast<std::size_t>(optimizer));
}

std::optional<Precision> parse_precision(std::string_view text) {
  const auto named = find_name<Precision>(kPrecisions, text);
  return named ? named : find_alias(kPrecisionAliases, text);
}
std::optional<OptimizerKind> parse_optimizer(std::string_view text) {
  const auto named = find_name<OptimizerKind>(kOptimizers, text);
  return named ? named : find_alias(kOptimizerAliases, text);
}

}  // namespace gputop
