#include "gputop/logs/recurrence.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "logs/field.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/piece_set.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"

namespace gputop::logs {
namespace {

constexpr std::size_t kLongestLine = 400;
constexpr std::size_t kMostShapes = 16;
constexpr int kRises = 2;
constexpr PieceSet kCounterWords{std::array<std::string_view, 5>{"poch", "step", "iter", "batc", "upda"}};

// Of everything but its numbers.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) {
    if (is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || is_blank(c)) continue;
    hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  }
  return hash;
}

}  // namespace

}  // namespace gputop::logs

namespace gputop {

std::optional<Progress> Recurrence::read(std::string_view line) {
  if (!logs::kCounterWords.any_in(slice(line, 0, logs::kLongestLine))) return std::nullopt;
  const auto prefixed = logs::without_prefix(slice(line, 0, logs::kLongestLine));
  const auto phase = logs::phase_of(prefixed.text);
  if (phase == Phase::kOther || phase == Phase::kValidation) return std::nullopt;
  Progress progress;
  logs::FieldReader reader{prefixed.text};
  bool counted = false;
  while (const auto field = reader.next()) {
    const auto understood = logs::understand(*field);
    const bool counter = understood.meaning == logs::Meaning::kStep || understood.meaning == logs::Meaning::kEpoch;
    if (counter && (counted || !field->whole || !field->unit.empty())) continue;
    counted = counted || counter;
    if (counter || understood.meaning == logs::Meaning::kLoss) logs::apply(understood, *field, progress);
  }
  if (!counted) return std::nullopt;
  const auto value = progress.step ? static_cast<double>(*progress.step) : progress.epoch.value_or(0);
  const auto hash = logs::hash_of(prefixed.text);
  auto shape = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& each) { return each.hash == hash; });
  if (shape == shapes_.end()) {
    if (shapes_.size() < logs::kMostShapes) {
      shapes_.push_back({.hash = hash, .last = value, .rises = 0});
    } else {
      shapes_[oldest_] = {.hash = hash, .last = value, .rises = 0};
      oldest_ = (oldest_ + 1) % logs::kMostShapes;
    }
    return std::nullopt;
  }
  if (value > shape->last) ++shape->rises;
  if (value < shape->last) shape->rises = 0;
  shape->last = value;
  if (shape->rises < logs::kRises) return std::nullopt;
  progress.format = "recurring";
  progress.rank = prefixed.rank;
  progress.phase = Phase::kTraining;
  logs::complete(progress);
  return progress;
}

}  // namespace gputop
