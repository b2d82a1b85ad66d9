#include "gputop/advisor/safe_batch.hpp"

#include <algorithm>

#include "advisor/batch_memory.hpp"
#include "gputop/core/format.hpp"
#include "gputop/estimator/batch_search.hpp"

namespace gputop {
namespace {

// What the lens counted, for the part that does not grow with the batch.
std::optional<MemoryModel> counted(const MemoryFacts& memory) {
  if (!memory.parameters || !memory.activations_per_sample) return std::nullopt;
  return lens_model({.parameters = memory.parameters->value,
                     .gradients = memory.gradients ? memory.gradients->value : memory.parameters->value,
                     .optimizer = memory.optimizer ? memory.optimizer->value : Bytes{},
                     .activations_per_sample = static_cast<double>(memory.activations_per_sample->value.value()),
                     .overhead = std::nullopt});
}

}  // namespace

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
  // It held so much and wanted more: the least that it needs.
  if (oom && oom->in_use && oom->requested) points.push_back({failed, *oom->in_use + *oom->requested});
  const auto prior = counted(before.memory);
  const auto model = measured_model(std::move(points), prior ? &*prior : nullptr);
  if (!model) return std::nullopt;
  const bool measured = model->points.size() >= 2;
  SearchLimits search{.memory = memory->total(), .free = memory->total()};
  search.margin = (measured ? limits.batch_margin_measured : limits.batch_margin) / 100;
  search.free = Bytes{static_cast<std::uint64_t>(static_cast<double>(memory->budget().value()) / (limits.batch_margin / 100))};
  search.free = std::min(search.free, memory->total());
  search.max_batch = failed - 1;
  search.current_batch = batch->value;
  const auto choices = batch_choices(*model, search);
  const auto safe = std::find_if(choices.begin(), choices.end(), [](const BatchChoice& choice) { return choice.name == "safe"; });
  if (safe == choices.end() || safe->batch <= batch->value || safe->batch >= failed) return std::nullopt;
  return SafeBatch{safe->batch, "about " + format_bytes(safe->memory.total) + " of " + format_bytes(memory->total()) + ": " +
                                    model->why};
}

}  // namespace gputop
