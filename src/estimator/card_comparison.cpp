#include "gputop/estimator/card_comparison.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr double kNccl = 1.45 * 1024 * 1024 * 1024;  // the first collective takes this
constexpr double kGathered = 0.1;                    // of the weights, at any time

// States, gradients and weights divided among the GPUs (FSDP), the batch too.
double sharded_bytes(const MemoryModel& model, std::uint64_t batch, unsigned gpus) {
  if (gpus == 1) return static_cast<double>(memory_at(model, batch).total.value());
  auto part = model;
  part.points.clear();
  part.fixed.overhead += kNccl + kGathered * part.fixed.parameters;
  for (auto* states : {&part.fixed.parameters, &part.fixed.gradients, &part.fixed.optimizer, &part.fixed.step_scratch}) *states /= gpus;
  return static_cast<double>(memory_at(part, (batch + gpus - 1) / gpus).total.value());
}

// The power of two, up to kMostGpus, that holds it within the margin. One that was measured to run needs no margin.
std::optional<unsigned> gpus_needed(const Estimate& estimate, std::uint64_t batch, Bytes memory) {
  const auto margin = estimate.limits.margin;
  for (unsigned gpus = 1; gpus <= kMostGpus; gpus *= 2) {
    if (gpus > 1 && (gpus > batch || !estimate.model.parts_known)) return std::nullopt;
    if (sharded_bytes(estimate.model, batch, gpus) <= margin * static_cast<double>(memory.value())) return gpus;
  }
  return std::nullopt;
}

SearchLimits limits_on(const Estimate& estimate, const EstimateRequest& request, Bytes memory) {
  auto limits = estimate.limits;
  limits.memory = limits.free = memory;
  limits.margin = request.margin.value_or(limits.margin);
  limits.max_batch = request.max_batch;
  limits.current_batch = request.batch;
  limits.accumulation = request.accumulation.value_or(1);
  limits.multiple = batch_multiple(request.precision.value_or(Precision::kFp32));
  return limits;
}

FitVerdict verdict_on(const MemoryEstimate& memory, Bytes free) {
  if (memory.total * (1 + memory.error) <= free) return FitVerdict::kFits;
  return memory.total * std::max(0.0, 1 - memory.error) > free ? FitVerdict::kDoesNotFit : FitVerdict::kNotSure;
}

void add_epoch(CardRow& row, const EstimateRequest& request) {
  if (!row.speed || !request.dataset) return;
  const auto samples = static_cast<double>(*request.dataset);
  row.epoch_seconds = Between{samples / row.speed->high, samples / row.speed->low};
  constexpr double kHour = 3600;
  if (row.price) row.epoch_cost = Between{row.epoch_seconds->low / kHour * *row.price, row.epoch_seconds->high / kHour * *row.price};
}

CardRow row_of(const Estimate& estimate, const EstimateRequest& request, const GpuCard& card, const CardPrices& prices) {
  CardRow row;
  row.card = card;
  for (const auto& [name, price] : prices)
    if (name == card.name) row.price = price;
  row.best = best_batch(estimate.model, limits_on(estimate, request, card.memory));
  const auto own = estimate.rehearsal ? estimate.rehearsal->batch : request.batch;
  row.batch = own.value_or(row.best ? row.best->batch : 1);
  const auto memory = memory_at(estimate.model, row.batch);
  row.verdict = verdict_on(memory, card.memory);
  row.gpus = gpus_needed(estimate, row.batch, card.memory);
  if (row.verdict == FitVerdict::kFits) row.gpus = 1;
  if (row.verdict == FitVerdict::kDoesNotFit || !estimate.work) return row;
  row.speed = speed_on(card, *estimate.work, static_cast<double>(row.batch), static_cast<double>(request.accumulation.value_or(1)));
  add_epoch(row, request);
  return row;
}

std::string cards_needed(const Estimate& estimate, const std::vector<GpuCard>& cards) {
  if (!estimate.stated) return {};
  std::set<Bytes> memories;
  for (const auto& card : cards) memories.insert(card.memory);
  std::string text;
  std::optional<Bytes> smallest;
  for (unsigned gpus = 1; gpus <= kMostGpus; gpus *= 2) {
    for (const auto memory : memories) {
      if (smallest && memory >= *smallest) break;
      const auto needed = gpus_needed(estimate, estimate.stated->batch, memory);
      if (!needed || *needed > gpus) continue;
      text += (text.empty() ? "" : " or ") + std::to_string(gpus) + " × " + format_number(memory / Bytes{1ULL << 30U}, 0) + " GB";
      smallest = memory;
      break;
    }
  }
  return text;
}

}  // namespace

CardComparison compare_cards(const Estimate& estimate,
                             const EstimateRequest& request,
                             const std::vector<GpuCard>& cards,
                             const CardPrices& prices) {
  CardComparison comparison{.needed = cards_needed(estimate, cards), .several = cards.size() > 1};
  auto& rows = comparison.rows;
  for (const auto& card : cards) rows.push_back(row_of(estimate, request, card, prices));
  const auto usable = [](const CardRow& row) { return row.verdict != FitVerdict::kDoesNotFit && row.speed.has_value(); };
  const bool by_cost = !prices.empty() && std::any_of(rows.begin(), rows.end(), [](const CardRow& row) { return row.epoch_cost.has_value(); });
  // The lower, the better; what is unknown comes last.
  const auto rank = [&](const CardRow& row) {
    if (by_cost) return row.epoch_cost ? row.epoch_cost->high : std::numeric_limits<double>::infinity();
    return row.speed ? -row.speed->samples_per_second : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const CardRow& a, const CardRow& b) {
    if (usable(a) != usable(b)) return usable(a);
    if (usable(a)) return rank(a) < rank(b);
    return a.gpus.value_or(kMostGpus + 1) < b.gpus.value_or(kMostGpus + 1);
  });
  return comparison;
}

}  // namespace gputop
