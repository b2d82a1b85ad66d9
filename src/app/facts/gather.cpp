#include "gputop/app/gather_facts.hpp"

#include <algorithm>

#include "app/facts/parts.hpp"
#include "gputop/app/run_now.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kWarmUp = 20s;         // longest warm-up of a run: imports, the first epoch's start, cuDNN's choices
constexpr Duration kWarmUpUnseen = 60s;   // of a run that prints nothing about its steps
constexpr Duration kWarmUpMachine = 10s;  // of a machine that is only watched

// What the machine did since the run's last sign of life.
Reading<StillFacts> stillness(const facts::Gathering& gathering, Instant now) {
  constexpr Duration kWorthALook = 20s;
  constexpr Duration kAfter = 5s;  // time for what was in progress to end
  const auto& model = gathering.model;
  const auto time = still_for(model, now);
  if (!time || *time < kWorthALook) return std::nullopt;
  facts::Gathering since = gathering;
  since.from = now - *time + kAfter;
  StillFacts still{.time = *time,
                   .main_cpu = mean(model.tree.main_cpu, since),
                   .worker_cpu = mean(model.tree.worker_cpu, since)};
  for (const auto& track : model.gpus) {
    const auto busy = mean(track.utilization, since);
    const auto& gpus = gathering.facts.gpus;
    const auto used = std::find_if(gpus.begin(), gpus.end(), [&](const auto& gpu) { return gpu.index == track.now.index; });
    if (!busy || used == gpus.end() || !used->used_by_run) continue;
    if (!still.utilization || still.utilization->value() < *busy) still.utilization = Percent{*busy};
  }
  still.had_steps = gathering.facts.step.step.has_value();
  return still;
}

bool is_steady(const Model& model, const Facts& facts, const LensProcess* lens) {
  if (!facts.has_run) return facts.age >= kWarmUpMachine;
  const auto warm = std::min<Duration>(kWarmUp, from_seconds(model.advice.advisor.settings().thresholds.warm_up));
  if ((lens && lens->warm) || facts.step.steps_per_second) return facts.age >= warm;
  return facts.age >= kWarmUpUnseen && model.run.has_value();
}

}  // namespace

Facts gather_facts(const Model& model, Duration window) {
  Facts facts;
  facts.now = model.now;
  facts.simulated = model.simulated;
  facts.has_run = model.run.has_value();
  const Instant begin = model.run ? model.run->since : Instant{};
  // After the end, the window stays on the run's last minutes.
  const Instant now = model.run && model.run->end ? model.run->ended : model.now;
  facts.age = now - begin;
  facts.window = std::min(window, facts.age);
  facts::Gathering gathering{model, facts, facts::Taker{facts.disagreements}, std::max(begin, now - facts.window)};

  const auto* lens = model.lens.main();
  if (lens) {
    add_lens_settings(gathering, *lens);
    add_lens_steps(gathering, *lens);
  }
  add_ranks(gathering);
  add_memory(gathering, lens);
  add_gpus(gathering);
  if (model.host_known) add_host(gathering);
  if (model.run) {
    add_tree(gathering);
    add_printed(gathering, model.run->log.progress());
    add_written(gathering, model.run->written);
    add_earlier(gathering, model.run->earlier);
    facts.metrics = model.run->log.metrics();
    facts.end = model.run->log.end();
    if (model.run->output_bytes > 0) facts.depth = Depth::kOutput;
    facts.still = stillness(gathering, now);
    facts.silent_for = now - (model.run->output_bytes > 0 ? model.run->last_output : model.run->since);
  }
  add_efficiency(gathering, lens);
  if (lens) add_transfer(gathering, *lens);
  if (lens) facts.depth = Depth::kLens;
  facts.steady = is_steady(model, facts, lens);
  return facts;
}

Reading<RunPoint> run_point(const Facts& facts) {
  if (!facts.steady || !facts.settings.batch_size) return std::nullopt;
  RunPoint point{.batch = facts.settings.batch_size->value};
  if (facts.settings.workers) point.workers = facts.settings.workers->value;
  if (facts.settings.precision) point.precision = facts.settings.precision->value;
  if (facts.step.samples_per_second) point.samples_per_second = facts.step.samples_per_second->value;
  for (const auto& seen : facts.memory.points) {
    if (seen.batch == point.batch) point.peak_memory = seen.peak;
  }
  return point.samples_per_second || point.peak_memory ? Reading<RunPoint>{point} : std::nullopt;
}

namespace facts {

// Whoever uses speeds compares them; memory only fits a line at the same precision.
void add_earlier(Gathering& gathering, const std::vector<RunPoint>& points) {
  auto& facts = gathering.facts;
  facts.earlier = points;
  for (const auto& point : points) {
    const auto& precision = facts.settings.precision;
    const bool same = !point.precision || !precision || *point.precision == precision->value;
    const bool now = facts.settings.batch_size && facts.settings.batch_size->value == point.batch;
    if (point.peak_memory && same && !now) facts.memory.points.push_back({point.batch, *point.peak_memory});
  }
}

namespace {

// What the machine does after the run's end says nothing about the run.
Instant end_of(const Gathering& gathering) {
  const auto& run = gathering.model.run;
  return run && run->end ? run->ended : gathering.model.now;
}

}  // namespace

std::optional<WindowStatistics> statistics(const History& history, const Gathering& gathering) {
  return history.statistics(gathering.from, end_of(gathering));
}

Reading<double> mean(const History& history, const Gathering& gathering) {
  return history.mean(gathering.from, end_of(gathering));
}

}  // namespace facts
}  // namespace gputop
