// The run's speed and what it waits for, as its lens sees it. A step here is one batch (one micro-step).
#include <algorithm>
#include <vector>

#include "app/facts/parts.hpp"
#include "app/gpu_processes.hpp"

namespace gputop::facts {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kFewestBatches = 4;  // fewer give no meaningful rate
constexpr double kInputBound = 0.05;         // with a wait share above this, all workers are busy all the time

struct Speed {
  double batches = 0;  // within epochs
  double wait = 0;     // seconds spent waiting for them
  double user = 0;
  double all_batches = 0;  // including the first ones of epochs
  double seconds = 0;      // including the time between epochs
  double pause = 0;
  [[nodiscard]] double step() const { return seconds / all_batches; }
  [[nodiscard]] double wait_share() const { return wait + user > 0 ? wait / (wait + user) : 0; }
};

Reading<Speed> speed_of(const LensProcess::Span& span) {
  if (span.last.batches < span.first.batches + kFewestBatches) return std::nullopt;
  const Speed speed{.batches = static_cast<double>(span.last.batches - span.first.batches),
                    .wait = span.last.wait - span.first.wait,
                    .user = span.last.user - span.first.user,
                    .all_batches = static_cast<double>(span.last.drawn() - span.first.drawn()),
                    .seconds = span.last.seconds() - span.first.seconds(),
                    .pause = span.last.pause - span.first.pause};
  return speed.seconds > 0 ? Reading<Speed>{speed} : std::nullopt;
}

// The window without the run's first steps, which are slower and include the lens's own inspection.
Instant warm(const LensProcess& process, Instant from) {
  for (const auto& tick : process.ticks) {
    if (tick.value.steps >= 5) return std::max(from, tick.at);
  }
  return from;
}

Reading<Speed> window_speed(const LensProcess& process, Instant from) {
  const auto* loader = process.training_loader();
  if (!loader) return std::nullopt;
  const auto span = process.span(loader->value.id, warm(process, from));
  return span ? speed_of(*span) : std::nullopt;
}

// Seconds of the window in which only loaders without training were read: validation, also between two epochs.
double validating(const LensProcess& process, unsigned training, Instant from) {
  double seconds = 0;
  if (process.ticks.empty()) return seconds;
  for (const auto& loader : process.ticks.back().value.loaders) {
    if (loader.id == training || loader.steps > 0) continue;
    const auto span = process.span(loader.id, warm(process, from));
    if (!span) continue;
    const auto& [first, last, steps, time, at] = *span;
    seconds += last.wait + last.user + last.first_wait - first.wait - first.user - first.first_wait;
  }
  return seconds;
}

// Share of the time since the first epoch began that was spent waiting for the first batch of later epochs, where
// workers start again. nullopt: too few epochs have begun.
Reading<double> epoch_start_share(const LensProcess& process, unsigned loader) {
  constexpr std::uint64_t kFewestEpochs = 3;
  const LensLoaderTick* first = nullptr;
  Instant since;
  for (const auto& tick : process.ticks) {
    for (const auto& now : tick.value.loaders) {
      if (now.id != loader || now.first == 0) continue;
      if (first == nullptr) {
        first = &now;
        since = tick.at;
      }
      if (&tick != &process.ticks.back() || now.first < first->first + kFewestEpochs || tick.at <= since) continue;
      return std::clamp((now.first_wait - first->first_wait) / to_seconds(tick.at - since), 0.0, 1.0);
    }
  }
  return std::nullopt;
}

// Seconds spent on checkpoints before the window.
double saving_before(const LensProcess& process, Instant from) {
  const Instant begin = warm(process, from);
  const auto first =
      std::find_if(process.ticks.begin(), process.ticks.end(), [&](const auto& tick) { return tick.at >= begin; });
  return first == process.ticks.end() ? 0 : first->value.saving;
}

// How much the speed varied within the window: the distance between its 10th and 90th percentile, divided by the
// median.
Reading<double> spread_of(const LensProcess& process, unsigned loader, Instant from) {
  constexpr std::size_t kFewest = 8;
  std::vector<double> speeds;
  const LensLoaderTick* before = nullptr;
  const Instant begin = warm(process, from);
  for (const auto& tick : process.ticks) {
    if (tick.at < begin) continue;
    for (const auto& now : tick.value.loaders) {
      if (now.id != loader) continue;
      const double seconds = before ? now.wait + now.user - before->wait - before->user : 0;
      if (seconds > 0 && now.batches > before->batches)
        speeds.push_back(static_cast<double>(now.batches - before->batches) / seconds);
      before = &now;
    }
  }
  if (speeds.size() < kFewest) return std::nullopt;
  std::sort(speeds.begin(), speeds.end());
  const auto at = [&](double share) {
    return speeds[static_cast<std::size_t>(share * static_cast<double>(speeds.size() - 1))];
  };
  return (at(0.9) - at(0.1)) / at(0.5);
}

// Batches per second in the first minute after the warm-up, once that minute is long past.
Reading<double> early_rate(const LensProcess& process, unsigned loader) {
  if (!process.early || process.ticks.back().at - process.early->at < 2 * LensProcess::kEarly) return std::nullopt;
  for (const auto& first : process.warm->value.loaders) {
    for (const auto& last : process.early->value.loaders) {
      if (first.id != loader || last.id != loader || first.batches > last.batches) continue;
      const auto speed = speed_of({first, last, 0, process.early->at - process.warm->at, process.early->at});
      return speed ? Reading<double>{1 / speed->step()} : std::nullopt;
    }
  }
  return std::nullopt;
}

// A run without a DataLoader, or one that keeps its batches: only the optimizer's steps can be counted, including
// pauses.
void add_optimizer_steps(Gathering& gathering, const LensProcess& process) {
  const auto& last = process.ticks.back();
  const Instant from = warm(process, gathering.from);
  const auto first =
      std::find_if(process.ticks.begin(), process.ticks.end(), [&](const auto& tick) { return tick.at >= from; });
  if (first == process.ticks.end() || last.value.steps < first->value.steps + kFewestBatches || last.at <= first->at)
    return;
  const double passes = last.value.backwards_per_step.value_or(1);
  const double rate =
      static_cast<double>(last.value.steps - first->value.steps) * passes / to_seconds(last.at - first->at);
  auto& step = gathering.facts.step;
  gathering.take("steps_per_second", step.steps_per_second, rate, kLens, last.at);
  gathering.take("step_time", step.step_time, from_seconds(1 / rate), kLens, last.at);
}

unsigned world_of(const Facts& facts) {
  return facts.settings.world_size ? std::max(1U, facts.settings.world_size->value) : 1;
}

}  // namespace

void add_lens_steps(Gathering& gathering, const LensProcess& process) {
  auto& [model, facts, take, from] = gathering;
  auto& step = facts.step;
  if (process.ticks.empty()) return;
  const auto& last = process.ticks.back();
  take("step", step.step, last.value.steps, kLens, last.at);
  const auto* loader = process.training_loader();
  const auto speed = window_speed(process, from);
  if (!loader || !speed) {
    add_optimizer_steps(gathering, process);
    return;
  }
  const double seconds = speed->step();
  const double wait_share = speed->wait_share();
  take("step_time", step.step_time, from_seconds(seconds), kLens, last.at);
  take("steps_per_second", step.steps_per_second, 1 / seconds, kLens, last.at);
  take("input_wait_share", step.input_wait_share, wait_share, kLens, last.at);
  const double pause = std::max(speed->pause, validating(process, loader->value.id, from));
  take("pause_share", step.pause_share, pause / (speed->seconds + pause), kLens, last.at);
  const double saving = last.value.saving - saving_before(process, from);
  take("checkpoint_share", step.checkpoint_share, std::min(saving, pause) / (speed->seconds + pause), kLens, last.at);
  if (facts.settings.batch_size) {
    const double samples = static_cast<double>(facts.settings.batch_size->value) * world_of(facts);
    take("samples_per_second", step.samples_per_second, samples / seconds, kLens, last.at);
    if (const auto early = early_rate(process, loader->value.id)) {
      take("early_samples_per_second", step.early_samples_per_second, *early * samples, kLens, last.at);
    }
  }
  const auto counts = std::find_if(last.value.loaders.begin(), last.value.loaders.end(),
                                   [&](const auto& each) { return each.id == loader->value.id; });
  if (counts != last.value.loaders.end() && counts->median && counts->slowest && *counts->median > 0)
    take("step_variation", step.variation, *counts->slowest / *counts->median, kLens, last.at);
  take("rate_spread", step.rate_spread, spread_of(process, loader->value.id, from), kLens, last.at);
  take("epoch_start_share", step.epoch_start_share, epoch_start_share(process, loader->value.id), kLens, last.at);
  const unsigned workers = loader->value.workers;
  if (workers == 0) {
    take("fetch_time", step.fetch_time, from_seconds(speed->wait / speed->batches), kLens, last.at);
    if (counts != last.value.loaders.end())
      take("fetch_cpu_share", step.fetch_cpu_share, counts->fetch_cpu, kLens, last.at);
  } else if (wait_share > kInputBound) {  // all of them are busy: together they deliver one batch a step
    take("fetch_time", step.fetch_time, from_seconds(seconds * workers), kLens, last.at);
    if (const auto cpu = mean(model.tree.worker_cpu, gathering)) {
      take("fetch_cpu_share", step.fetch_cpu_share, std::min(1.0, *cpu), FactSource::kObserved, model.tree.at);
    }
  }
}

namespace {

// How long ranks that train together wait for each other, and which of this run's ranks holds them up.
void add_exchange(Gathering& gathering) {
  const auto lines = gathering.model.ranks.lines(0, std::nullopt);
  if (const auto waiting = lines.front().waiting) {
    const auto at = gathering.model.lens.processes.back().heard;
    gathering.take("communication_share", gathering.facts.step.communication_share, *waiting, kLens, at);
  }
  if (lines.size() >= 2) gathering.facts.together = job::merge(lines).explained;
}

}  // namespace

void add_ranks(Gathering& gathering) {
  const auto& processes = gathering.model.lens.processes;
  std::vector<RankFacts> ranks;
  for (const auto& process : processes) {
    const auto rank = process.rank();
    if (!rank || process.ticks.empty() || process.ticks.back().value.steps == 0) continue;
    std::erase_if(ranks, [&](const RankFacts& known) { return known.rank == *rank; });  // restarted
    RankFacts facts{.rank = *rank};
    if (const auto speed = window_speed(process, gathering.from)) {
      facts.steps_per_second = 1 / speed->step();
      facts.input_wait_share = speed->wait / (speed->wait + speed->user);
    }
    if (process.environment) {
      for (const auto& track : gathering.model.gpus) {
        if (!is_device_of(process.environment->value, track.now)) continue;
        if (const auto utilization = mean(track.utilization, gathering)) facts.utilization = Percent{*utilization};
      }
    }
    ranks.push_back(facts);
  }
  std::sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  if (!ranks.empty()) {
    const auto at = gathering.model.lens.processes.back().heard;
    gathering.take("local_ranks", gathering.facts.settings.local_ranks, static_cast<unsigned>(ranks.size()), kLens, at);
  }
  gathering.facts.ranks = std::move(ranks);
  add_exchange(gathering);
}

}  // namespace gputop::facts
