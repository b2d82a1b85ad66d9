#include "knobs/current_values.hpp"

#include <algorithm>
#include <cmath>

namespace gputop::knobs {
namespace {

std::optional<Value> current(const Found& found, const Evidence& evidence, std::string_view knob) {
  if (const auto* seen = evidence.find(knob)) return seen->value;
  for (const auto* candidate : candidates_of(found, knob)) {
    if (!std::holds_alternative<std::monostate>(candidate->value)) return candidate->value;
  }
  return std::nullopt;
}

std::optional<double> number(const Found& found, const Evidence& evidence, std::string_view knob) {
  const auto value = current(found, evidence, knob);
  return value ? as_number(*value) : std::nullopt;
}

std::optional<std::int64_t> whole(const Found& found, const Evidence& evidence, std::string_view knob) {
  constexpr double kLargest = 9e15;
  const auto value = number(found, evidence, knob);
  if (!value || *value != std::floor(*value) || std::abs(*value) > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

bool can_change(const Found& found, std::string_view knob) {
  const auto all = candidates_of(found, knob);
  return std::any_of(all.begin(), all.end(), [](const Candidate* candidate) {
    return candidate->fixed.empty() && candidate->place.kind != Place::Kind::kLens;
  });
}

}  // namespace

std::optional<OptimizerKind> optimizer_named(std::string_view name) {
  if (const auto known = parse_optimizer(name)) return known;
  const std::string text = simplified(name);
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  if (has("adafactor")) return OptimizerKind::kAdafactor;
  if (has("adam") && has("8bit")) return OptimizerKind::kAdam8bit;
  if (has("adamw")) return OptimizerKind::kAdamW;
  if (has("adam")) return OptimizerKind::kAdam;
  if (has("sgd")) return OptimizerKind::kSgd;
  return std::nullopt;
}

std::optional<BatchSettings> batch_settings(const Found& found, const Evidence& evidence) {
  constexpr std::int64_t kLargestBatch = 1LL << 24;  // products of these fit
  const auto batch = whole(found, evidence, "batch_size");
  if (!batch || *batch < 1 || *batch > kLargestBatch) return std::nullopt;
  BatchSettings settings{.batch = *batch};
  const auto accumulation = whole(found, evidence, "accumulation").value_or(1);
  settings.accumulation = std::clamp<std::int64_t>(accumulation, 1, kLargestBatch);
  settings.can_accumulate = can_change(found, "accumulation");
  settings.ranks = evidence.ranks;
  if (can_change(found, "global_batch_size")) settings.global_batch = whole(found, evidence, "global_batch_size");
  settings.learning_rate = number(found, evidence, "learning_rate");
  if (const auto name = current(found, evidence, "optimizer")) settings.optimizer = optimizer_named(to_text(*name));
  settings.warmup_steps = whole(found, evidence, "warmup_steps");
  settings.max_steps = whole(found, evidence, "max_steps");
  return settings;
}

}  // namespace gputop::knobs
