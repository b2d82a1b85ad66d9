#include "gputop/advisor/options.hpp"

#include <algorithm>
#include <cmath>

#include "advisor/batch_memory.hpp"
#include "advisor/batch_plan.hpp"
#include "advisor/phrase.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr double kMostRuns = 8;           // side by side on one GPU
constexpr double kInEachOthersWay = 0.6;  // of their combined separate speed, at worst
constexpr double kWorthSaying = 1.05;

bool goes_well(const Facts& facts) {
  return facts.end.kind == EndKind::kRunning || facts.end.kind == EndKind::kFinished;
}

// Several runs at once on a mostly idle GPU: this shortens a search over settings, but no single run.
std::optional<Option> parallel_runs(const Facts& facts, const Diagnosis& diagnosis, const Thresholds& limits) {
  const auto memory = BatchMemory::of(facts, limits);
  if (!memory || !diagnosis.utilization || *diagnosis.utilization <= 0) return std::nullopt;
  double runs = std::min(kMostRuns, std::floor(memory->budget() / memory->used()));
  runs = std::min(runs, std::floor(limits.good_utilization / (*diagnosis.utilization * 100)));
  std::string host;
  if (facts.has_run && facts.host.cpu && facts.host.cpu->value() > 0) {
    runs = std::min(runs, std::floor(limits.cpu_full / facts.host.cpu->value()));
    host = ", host CPU " + percent_words(std::min(1.0, runs * facts.host.cpu->value() / 100));
  }
  if (runs < 2) return std::nullopt;
  const double low = std::max(1.0, runs * kInEachOthersWay);
  const Bytes together = memory->used() * runs;
  std::string text = number_words(runs) + " runs at once fit on this GPU (about " + format_bytes(together) + " of " +
                     format_bytes(memory->total()) + ", busy " + percent_words(runs * *diagnosis.utilization) + host +
                     ")";
  if (limits.search > 0) {
    const double seconds = limits.search * 3600;
    text += ": a search over settings of " + time_in_words(from_seconds(seconds), from_seconds(seconds)) +
            " would take " + time_in_words(from_seconds(seconds / runs), from_seconds(seconds / low));
  }
  if (!facts.has_run || !facts.host.cpu) text += ", if the CPU is not what holds one up";
  return Option{"parallel_runs", std::move(text)};
}

// A model with `times` the parameters: states grow proportionally, activations with the square root (wider layers) up
// to proportionally (more layers).
struct ModelMemory {
  Bytes low;
  Bytes high;
};

std::optional<ModelMemory> memory_of_model(const Facts& facts, const BatchMemory& memory, double times) {
  const auto states = state_bytes(facts.settings);
  if (!states) return std::nullopt;
  const auto used = static_cast<double>(memory.used().value());
  const double growing = std::min(used, static_cast<double>(states->value()));
  const double rest = used - growing;
  const auto bytes = [](double value) { return Bytes{static_cast<std::uint64_t>(value)}; };
  return ModelMemory{bytes(growing * times + rest * std::sqrt(times)), bytes((growing + rest) * times)};
}

std::optional<Option> larger_model(const Facts& facts, const Thresholds& limits) {
  const auto memory = BatchMemory::of(facts, limits);
  const auto& parameters = facts.settings.parameters;
  if (!memory || !parameters || memory->used() / memory->total() * 100 >= limits.low_memory) return std::nullopt;
  for (const double times : {8.0, 4.0, 2.0}) {
    const auto need = memory_of_model(facts, *memory, times);
    if (!need || need->high > memory->budget()) continue;
    const auto now = static_cast<double>(parameters->value);
    const char* as_with = times == 8   ? "twice the width and twice the layers"
                          : times == 4 ? "twice the width"
                                       : "twice the layers";
    return Option{"larger_model", "a model of " + number_words(times) + " times the parameters fits (" +
                                      amount_words(now) + " → " + amount_words(now * times) + ", as with " + as_with +
                                      "): " + format_bytes(need->low) + " to " + format_bytes(need->high) + " of " +
                                      format_bytes(memory->total()) +
                                      " at this batch; it can learn more, takes longer per batch and may want more "
                                      "dropout or weight decay"};
  }
  return std::nullopt;
}

// Between poorly and well used: the remaining headroom, and where to look for it.
std::optional<Option> room_left(const Facts& facts,
                                const Diagnosis& diagnosis,
                                const StepModel& model,
                                const Thresholds& limits) {
  if (!diagnosis.utilization) return std::nullopt;
  const double used = *diagnosis.utilization * 100;
  if (used < limits.low_utilization || used >= limits.good_utilization) return std::nullopt;
  std::string text = percent_words(1 - *diagnosis.utilization) + " of the GPU's time is left (up to " +
                     speedup_in_words(Speedup{1 / *diagnosis.utilization, 1 / *diagnosis.utilization}) + ")";
  const Situation situation{facts, limits, diagnosis, model};
  const auto answer = larger_batch(situation);
  if (answer.plan && model.speedup({.batch = answer.plan->ratio}).high >= kWorthSaying) {
    text += ": try " + changes_in_words(answer.plan->changes) + " (" + answer.plan->memory + ")";
    if (const auto busy = model.busy({.batch = answer.plan->ratio}))
      text += ", busy " + percent_words(busy->low) + " to " + percent_words(busy->high);
  }
  const auto& wait = facts.step.input_wait_share;
  text += wait ? "; waiting for data is " + percent_words(wait->value) + ", the rest is Python, launches and pauses"
               : "; if the batch does not help, look for a CPU bottleneck: the loader's workers, the training process";
  return Option{"room_left", std::move(text)};
}

}  // namespace

std::vector<Option> options(const Facts& facts,
                            const Diagnosis& diagnosis,
                            const StepModel& model,
                            const Thresholds& limits) {
  std::vector<Option> all;
  if (!facts.steady || !goes_well(facts)) return all;
  const auto add = [&](std::optional<Option> option) {
    if (option) all.push_back(*std::move(option));
  };
  add(room_left(facts, diagnosis, model, limits));
  add(parallel_runs(facts, diagnosis, limits));
  add(larger_model(facts, limits));
  return all;
}

}  // namespace gputop
