#include "advisor/batch_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "advisor/phrase.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

// Growing beyond what ends the GPU's idling gains little: slightly more is enough.
constexpr double kBeyondKnee = 1.35;
constexpr std::array kRatios{4.0, 3.0, 2.0, 1.5, 1.25};

// A poorly used GPU that is far from full gets a whole step: each one is a measurement, which shows what its last part
// gains.
bool has_plenty(const Situation& s, const BatchMemory& memory) {
  constexpr double kHalf = 0.5;
  return s.diagnosis.utilization && *s.diagnosis.utilization * 100 < s.limits.low_utilization &&
         memory.at_most(s.limits.batch_hop) / memory.total() <= kHalf;
}

double wanted_ratio(const Situation& s) {
  const double compute = std::max(0.05, s.model.compute());
  return std::clamp(kBeyondKnee / compute, 1.25, s.limits.batch_hop);
}

bool is_adaptive(OptimizerKind kind) {
  return kind != OptimizerKind::kSgd && kind != OptimizerKind::kSgdMomentum && kind != OptimizerKind::kOther;
}

// The learning rate follows a batch that really grows: proportionally for SGD, with the square root for Adam and its
// relatives.
void add_learning_rate(const SettingFacts& settings, double ratio, std::vector<Change>& changes) {
  if (!settings.optimizer || settings.optimizer->value == OptimizerKind::kOther) {
    changes.push_back({"learning_rate", "",
                       "×" + number_words(ratio) + " for SGD, ×" + number_words(std::sqrt(ratio)) + " for Adam"});
    return;
  }
  const double factor = is_adaptive(settings.optimizer->value) ? std::sqrt(ratio) : ratio;
  if (settings.learning_rate) {
    const double rate = settings.learning_rate->value;
    changes.push_back({"learning_rate", number_words(rate), number_words(rate * factor)});
  } else {
    changes.push_back({"learning_rate", "", "×" + number_words(factor)});
  }
}

std::string memory_words(const BatchMemory& memory, double ratio) {
  const bool exact = memory.at_most(ratio) / memory.expected(ratio) < 1.1;
  constexpr double kMuchMore = 1.15;
  const bool misled = memory.measured() && memory.naive(ratio) / memory.expected(ratio) > kMuchMore;
  const auto naive = misled ? "; scaled from one point it would be " +
                                  format_number(memory.naive(ratio) / Bytes{1ULL << 30U}, 2) + " GiB"
                            : std::string{};
  return (exact ? "about " + format_bytes(memory.expected(ratio))
                : "about " + format_bytes(memory.expected(ratio)) + ", at most " + format_bytes(memory.at_most(ratio)) +
                      ",") +
         " of " + format_bytes(memory.total()) + " (" + memory.basis() + naive + ")";
}

// If memory is tight: what to try if it does not fit after all.
std::string fallback(const BatchMemory& memory,
                     std::uint64_t from,
                     std::uint64_t to,
                     std::uint64_t accumulation,
                     double ratio) {
  constexpr double kTight = 0.85;
  if (memory.at_most(ratio) / memory.total() < kTight) return {};
  const auto between = from + (to - from) / 2;
  std::string text = "if it runs out of memory ";
  if (between > from) text += std::to_string(between) + " × " + std::to_string(accumulation) + ", then ";
  return text + "gradient checkpointing";
}

// How much larger the batch may get before an epoch of this dataset has too few steps; unlimited if its size is
// unknown.
double dataset_ratio(const Situation& s) {
  const auto& settings = s.facts.settings;
  const auto& batch = settings.batch_size;
  const auto& dataset = settings.dataset_size;
  if (!batch || !dataset || batch->value == 0 || s.limits.epoch_steps <= 0) return HUGE_VAL;
  const auto together =
      static_cast<double>(batch->value) * (settings.world_size ? std::max(1U, settings.world_size->value) : 1U);
  return static_cast<double>(dataset->value) / s.limits.epoch_steps / together;
}

// "; 94 steps per epoch of 12000 samples"
std::string dataset_words(const Situation& s, double ratio) {
  const double most = dataset_ratio(s);
  if (!std::isfinite(most)) return {};
  return "; " + format_number(most * s.limits.epoch_steps / ratio, 0) + " steps per epoch of " +
         std::to_string(s.facts.settings.dataset_size->value) + " samples";
}

// Validation keeps no gradients, so its batch may grow with the training batch.
void add_eval_batch(const SettingFacts& settings, double ratio, std::vector<Change>& changes) {
  if (!settings.eval_batch_size || ratio <= 1) return;
  const auto batch = settings.eval_batch_size->value;
  const auto to = static_cast<std::uint64_t>(static_cast<double>(batch) * ratio);
  if (to > batch) changes.push_back({"eval_batch_size", std::to_string(batch), std::to_string(to)});
}

// Keeps the effective batch: accumulation decreases as the batch grows.
std::optional<BatchPlan> traded_for_accumulation(const Situation& s, const BatchMemory& memory, double wanted) {
  const auto batch = s.facts.settings.batch_size->value;
  const auto accumulation = s.facts.settings.accumulation->value;
  const auto effective = batch * accumulation;
  std::optional<BatchPlan> best;
  for (auto to = accumulation - 1; to >= 1; --to) {
    if (effective % to != 0) continue;
    const double ratio = static_cast<double>(accumulation) / static_cast<double>(to);
    if (ratio > s.limits.batch_hop || !memory.fits(ratio) || (best && ratio > wanted * 1.5)) break;
    best = BatchPlan{
        .ratio = ratio,
        .changes = {{"batch_size", std::to_string(batch), std::to_string(effective / to)},
                    {"accumulation", std::to_string(accumulation), std::to_string(to)}},
        .memory = memory_words(memory, ratio),
        .then = fallback(memory, batch, effective / to, to, ratio),
        .risk = {.low = true,
                 .what = "the effective batch stays " + std::to_string(effective) + ", the learning rate as it is"}};
  }
  if (best) add_eval_batch(s.facts.settings, best->ratio, best->changes);
  return best;
}

std::optional<BatchPlan> grown(const Situation& s, const BatchMemory& memory, double wanted) {
  const auto& settings = s.facts.settings;
  for (const double ratio : kRatios) {
    if (ratio > std::min(wanted * 1.25, s.limits.batch_hop) || !memory.fits(ratio)) continue;
    if (ratio > dataset_ratio(s)) continue;
    BatchPlan plan{.ratio = ratio, .changes = {}, .memory = memory_words(memory, ratio), .then = {}, .risk = {}};
    if (settings.batch_size) {
      const auto batch = settings.batch_size->value;
      const auto to = saturate<std::uint64_t>(static_cast<double>(batch) * ratio);
      if (to <= batch) return std::nullopt;
      plan.ratio = static_cast<double>(to) / static_cast<double>(batch);
      plan.changes.push_back({"batch_size", std::to_string(batch), std::to_string(to)});
      if (ratio == s.limits.batch_hop && memory.fits(2 * ratio) && wanted >= ratio && 2 * ratio <= dataset_ratio(s)) {
        plan.then = "if the GPU still waits, " + std::to_string(2 * to) + " fits, too";
      }
    } else {
      plan.changes.push_back({"batch_size", "", "×" + number_words(ratio)});
      if (ratio == s.limits.batch_hop && memory.fits(2 * ratio))
        plan.then = "×" + number_words(2 * ratio) + " after that";
    }
    add_learning_rate(settings, plan.ratio, plan.changes);
    add_eval_batch(settings, plan.ratio, plan.changes);
    plan.memory += dataset_words(s, plan.ratio);
    plan.risk.what = "a larger effective batch learns differently: watch the loss";
    return plan;
  }
  return std::nullopt;
}

}  // namespace

BatchAnswer larger_batch(const Situation& s) {
  const auto memory = BatchMemory::of(s.facts, s.limits);
  if (!memory) return {std::nullopt, "a larger batch is not suggested: the GPU's memory is not known"};
  const double wanted = has_plenty(s, *memory) ? s.limits.batch_hop : wanted_ratio(s);
  const auto& settings = s.facts.settings;
  std::optional<BatchPlan> plan;
  if (settings.batch_size && settings.accumulation && settings.accumulation->value > 1) {
    plan = traded_for_accumulation(s, *memory, wanted);
  } else {
    plan = grown(s, *memory, wanted);
  }
  if (plan) return {std::move(plan), {}};
  if (dataset_ratio(s) < kRatios.back() && memory->fits(kRatios.back())) {
    return {std::nullopt, "a larger batch would leave fewer than " + number_words(s.limits.epoch_steps) +
                              " steps per epoch of " + std::to_string(settings.dataset_size->value) + " samples"};
  }
  return {std::nullopt, "a larger batch may not fit: half as much again needs up to " +
                            format_bytes(memory->at_most(1.5)) + ", and " + format_bytes(memory->budget()) +
                            " may be filled (" + memory->basis() + ")"};
}

std::vector<std::uint64_t> smaller_batches(std::uint64_t batch) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t eighths : {6, 4, 3}) {
    const auto size = std::max<std::uint64_t>(1, batch * eighths / 8);
    if (size < batch && (sizes.empty() || size < sizes.back())) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace gputop
