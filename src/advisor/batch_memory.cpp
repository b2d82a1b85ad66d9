#include "advisor/batch_memory.hpp"

#include <algorithm>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/estimator/memory_model.hpp"

namespace gputop {
namespace {

constexpr double kMostFixed = 0.9;  // of what is used: something always grows

struct Fullest {
  Bytes used;
  Bytes total;
  Bytes neighbours;
};

// The part that does not grow with the batch, from the number of parameters.
struct States {
  double least = 0;   // weights and gradients
  double likely = 0;  // with the optimizer's and the context
};

std::optional<States> states_of(const SettingFacts& settings) {
  const auto& all = settings.parameters ? settings.parameters : settings.trainable_parameters;
  if (!all) return std::nullopt;
  const auto trained =
      static_cast<double>(settings.trainable_parameters ? settings.trainable_parameters->value : all->value);
  const bool half = settings.precision && settings.precision->value == Precision::kBf16;
  const double element = half ? 2 : 4;
  const auto kind = settings.optimizer ? settings.optimizer->value : OptimizerKind::kAdam;
  const double moments = kind == OptimizerKind::kSgd ? 0 : kind == OptimizerKind::kSgdMomentum ? 1 : 2;
  States states{.least = static_cast<double>(all->value) * element + trained * element};
  states.likely = states.least + trained * element * moments + static_cast<double>(kDefaultOverhead.value());
  return states;
}

std::optional<Fullest> fullest_gpu(const Facts& facts) {
  std::optional<Fullest> fullest;
  for (const auto* gpu : gpus_in_use(facts)) {
    const auto used = gpu->run_memory && gpu->memory_peak
                          ? Reading<Bytes>{std::max(*gpu->run_memory, *gpu->memory_peak)}
                      : gpu->memory_peak ? gpu->memory_peak
                                         : gpu->memory_used;
    if (!used || !gpu->memory_total || gpu->memory_total->value() == 0) return std::nullopt;
    // Without a run, no process counts as a neighbor.
    const auto neighbours = gpu->used_by_run ? gpu->neighbour_memory.value_or(Bytes{}) : Bytes{};
    const Bytes own = neighbours < *used ? *used - neighbours : *used;
    if (!fullest || own / *gpu->memory_total > fullest->used / fullest->total) {
      fullest = Fullest{own, *gpu->memory_total, neighbours};
    }
  }
  return fullest;
}

}  // namespace

std::optional<Bytes> likely_states(const SettingFacts& settings) {
  const auto states = states_of(settings);
  if (!states) return std::nullopt;
  return Bytes{saturate<std::uint64_t>(states->likely)};
}

std::optional<Bytes> state_bytes(const SettingFacts& settings) {
  const auto states = likely_states(settings);
  if (!states || *states < kDefaultOverhead) return std::nullopt;
  return *states - kDefaultOverhead;
}

std::optional<BatchMemory> BatchMemory::of(const Facts& facts, const Thresholds& limits) {
  const auto fullest = fullest_gpu(facts);
  if (!fullest || fullest->used.value() == 0) return std::nullopt;
  BatchMemory memory;
  memory.used_ = fullest->used;
  memory.total_ = fullest->total;
  const Bytes free_for_run = fullest->neighbours < fullest->total ? fullest->total - fullest->neighbours : Bytes{};
  const auto used = static_cast<double>(fullest->used.value());
  const auto& batch = facts.settings.batch_size;
  memory.budget_ = free_for_run * (limits.batch_margin / 100);
  const auto count = [&](const Known<Bytes>& bytes) {
    if (bytes) memory.states_ += static_cast<double>(bytes->value.value());
  };
  count(facts.memory.parameters);
  count(facts.memory.gradients);
  count(facts.memory.optimizer);
  std::vector<MemoryPoint> points;
  for (const auto& point : facts.memory.points) {
    points.push_back({point.batch, point.peak});
    if (!batch || batch->value == 0 || point.peak > free_for_run) continue;
    memory.ran_ = std::max(memory.ran_, static_cast<double>(point.batch) / static_cast<double>(batch->value));
  }
  const auto line = measured_model(std::move(points));
  if (batch && line && line->points.size() >= 2 && line->sample.activations > 0) {
    memory.fixed_ = line->fixed.states() + line->fixed.overhead;
    memory.grows_ = line->sample.activations * static_cast<double>(batch->value);
    memory.most_fixed_ = memory.fixed_ * (1 + line->error);
    memory.most_grows_ = memory.grows_ * (1 + line->error);
    memory.budget_ = free_for_run * (limits.batch_margin_measured / 100);
    memory.measured_ = true;
    memory.basis_ = "measured at " + std::to_string(line->points.size()) + " batch sizes";
    return memory;
  }
  if (batch && facts.memory.activations_per_sample) {
    const double counted = std::min(used, static_cast<double>(facts.memory.activations_per_sample->value.value()) *
                                              static_cast<double>(batch->value));
    // Of the memory in use, the states do not grow, whatever the activations are reported as; gradients exist even if
    // the lens saw none.
    double states = memory.states_;
    const bool none = !facts.memory.gradients || facts.memory.gradients->value == Bytes{};
    if (facts.memory.parameters && facts.memory.optimizer && none) {
      states += static_cast<double>(facts.memory.parameters->value.value());
    }
    memory.grows_ = std::min(counted, std::max(used - states, used * (1 - kMostFixed)));
    memory.fixed_ = used - memory.grows_;
    // Workspaces and batches grow too.
    memory.most_grows_ = std::min(used, counted * 1.25);
    memory.most_fixed_ = used - memory.most_grows_;
    memory.basis_ = "counted by the lens";
    return memory;
  }
  const auto states = states_of(facts.settings);
  // Besides the states there are workspaces and the allocator's cache: the expected value keeps at least what is
  // usually fixed.
  const double likely = std::min(used * kMostFixed, std::max(states ? states->likely : 0, used * kLikelyFixedShare));
  memory.grows_ = used - likely;
  memory.fixed_ = likely;
  memory.most_fixed_ = states ? std::min(likely, states->least) : 0;
  memory.most_grows_ = used - memory.most_fixed_;
  memory.basis_ =
      states ? "by its parameters; at most if all the rest grew with the batch" : "if all of it grew with the batch";
  return memory;
}

Bytes BatchMemory::expected(double ratio) const {
  return Bytes{saturate<std::uint64_t>(fixed_ + grows_ * ratio)};
}

Bytes BatchMemory::at_most(double ratio) const {
  return Bytes{saturate<std::uint64_t>(most_fixed_ + most_grows_ * ratio)};
}

Bytes BatchMemory::naive(double ratio) const {
  const double used = static_cast<double>(used_.value());
  const double known = states_ > 0 ? states_ : static_cast<double>(kPlainOverhead.value());
  const double states = std::min(known, used);
  return Bytes{saturate<std::uint64_t>(states + (used - states) * ratio)};
}

double BatchMemory::room() const {
  if (most_grows_ <= 0) return 1;
  return (static_cast<double>(budget_.value()) - most_fixed_) / most_grows_;
}

}  // namespace gputop
