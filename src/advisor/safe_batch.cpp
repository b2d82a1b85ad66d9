#include "gputop/advisor/safe_batch.hpp"

#include <algorithm>

#include "advisor/batch_memory.hpp"
#include "advisor/batch_plan.hpp"
#include "gputop/advisor/recorded_estimate.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/estimator/batch_search.hpp"

namespace gputop {
namespace {

// How much of the GPU the run may use: from the failure's message, or as read.
std::optional<SearchLimits> room_for_run(const Facts& facts,
                                         const std::optional<GpuOom>& oom,
                                         const Thresholds& limits) {
  SearchLimits search{.margin = limits.batch_margin / 100};
  if (oom && oom->total) {
    search.memory = search.free = oom->allowed.value_or(*oom->total);
    if (oom->neighbours && *oom->neighbours < search.free) search.free = search.free - *oom->neighbours;
    return search;
  }
  const auto memory = BatchMemory::of(facts, limits);
  if (!memory) return std::nullopt;
  search.memory = memory->total();
  search.free = Bytes{saturate<std::uint64_t>(static_cast<double>(memory->budget().value()) / search.margin)};
  return search;
}

std::optional<BatchChoice> safe_choice(const MemoryModel& model, const SearchLimits& search) {
  const auto choices = batch_choices(model, search);
  const auto safe =
      std::find_if(choices.begin(), choices.end(), [](const BatchChoice& choice) { return choice.name == "safe"; });
  return safe == choices.end() ? std::nullopt : std::optional{*safe};
}

// A failure alone says little about a smaller batch: its error band would allow almost nothing. There, another failure
// teaches more than caution.
std::optional<BatchChoice> choice_for(const MemoryModel& model, bool counted, const SearchLimits& search) {
  const bool guess = !counted && model.points.size() < 2;
  return guess ? best_batch(model, search) : safe_choice(model, search);
}

std::string memory_words(const BatchChoice& choice, const SearchLimits& search, const MemoryModel& model) {
  return "about " + format_bytes(choice.memory.total) + " of " + format_bytes(search.memory) + ": " + model.why;
}

}  // namespace

std::optional<SafeBatch> batch_after_oom(const Facts& failed_run,
                                         const std::optional<GpuOom>& oom,
                                         std::uint64_t failed,
                                         const Thresholds& limits) {
  const auto smaller = smaller_batches(failed);
  if (smaller.empty()) return std::nullopt;
  SafeBatch best{smaller.front(), "three quarters: what a sample takes was not seen"};
  auto search = room_for_run(failed_run, oom, limits);
  if (!search) return best;
  search->max_batch = failed - 1;
  const auto prior = counted_model(failed_run.memory);
  MemoryModel fixed;  // otherwise, what cannot depend on the batch
  const auto states = likely_states(failed_run.settings);
  if (states) fixed.fixed.overhead = static_cast<double>(states->value());
  std::vector<MemoryPoint> points;
  for (const auto& point : failed_run.memory.points) {
    if (point.batch < failed) points.push_back({point.batch, point.peak});
  }
  const bool needs = oom && oom->in_use && oom->requested;
  if (needs) points.push_back({failed, *oom->in_use + *oom->requested});
  const auto line = measured_model(points, prior ? &*prior : states ? &fixed : nullptr);
  const bool shaped = prior || states || points.size() >= 2;
  for (const auto& model : {prior, shaped ? line : std::nullopt}) {
    if (!model) continue;
    const auto choice = choice_for(*model, prior.has_value(), *search);
    best.batch = std::min(best.batch, choice ? choice->batch : 1);
    best.why = memory_words(choice_at(*model, *search, best.batch, "next"), *search, *model);
  }
  return best;
}

std::optional<SafeBatch> safe_batch(const Facts& before,
                                    const std::optional<GpuOom>& oom,
                                    std::uint64_t failed,
                                    const Thresholds& limits) {
  const auto& batch = before.settings.batch_size;
  const auto memory = BatchMemory::of(before, limits);
  if (!batch || !memory || batch->value >= failed) return std::nullopt;
  std::vector<MemoryPoint> points;
  for (const auto& point : before.memory.points) points.push_back({point.batch, point.peak});
  points.push_back({batch->value, memory->used()});
  // It held this much and wanted more: the minimum that it needs.
  if (oom && oom->in_use && oom->requested) points.push_back({failed, *oom->in_use + *oom->requested});
  const auto prior = counted_model(before.memory);
  const auto model = measured_model(std::move(points), prior ? &*prior : nullptr);
  if (!model) return std::nullopt;
  const bool measured = model->points.size() >= 2;
  SearchLimits search{.memory = memory->total(), .free = memory->total()};
  search.margin = (measured ? limits.batch_margin_measured : limits.batch_margin) / 100;
  search.free =
      Bytes{saturate<std::uint64_t>(static_cast<double>(memory->budget().value()) / (limits.batch_margin / 100))};
  search.free = std::min(search.free, memory->total());
  search.max_batch = failed - 1;
  search.current_batch = batch->value;
  const auto safe = safe_choice(*model, search);
  if (!safe || safe->batch <= batch->value || safe->batch >= failed) return std::nullopt;
  return SafeBatch{safe->batch, memory_words(*safe, search, *model)};
}

}  // namespace gputop
