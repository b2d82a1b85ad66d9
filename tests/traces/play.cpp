// Three minutes of a trace: events for the GPUs, noisy facts for the rest, the advisor asked every second.
#include <algorithm>
#include <cmath>

#include "gputop/app/gather_facts.hpp"
#include "sources/sim/gpu.hpp"
#include "traces/dice.hpp"
#include "traces/trace.hpp"

namespace gputop::traces {
namespace {

constexpr int kSeconds = 240;
constexpr std::int64_t kRunPid = 1000;
constexpr std::int64_t kOtherPid = 2000;

Precision precision_of(SimPrecision precision) {
  return *parse_precision(to_string(precision));
}

template <class T>
Known<T> said(T value, FactSource source, Instant now) {
  return Fact<T>{std::move(value), source, now};
}

// What the workers do with their time, as the physics has it.
struct WorkerTimes {
  double duty = 0;       // of a worker, not waiting for room in the queue
  double computing = 1;  // of its duty
};

WorkerTimes worker_times(const SimRunConfig& run, const SimOutcome& outcome) {
  const double disk = run.workload.disk_per_sample * (1 - run.machine.cached_share) / run.machine.disk_bandwidth;
  const double cpu = run.workload.cpu_per_sample;
  if (run.workers == 0) return {1, cpu / (cpu + disk)};
  const double batch_time = outcome.step.total();
  const double wanted_cpu = run.batch_size * cpu / batch_time / run.workers;  // of a worker's time
  const double waiting =
      outcome.step.input_wait > 0 ? 1 : std::min(1.0, wanted_cpu + run.batch_size * disk / batch_time / run.workers);
  const double duty = std::max(waiting, std::min(1.0, wanted_cpu));
  return {std::min(1.0, duty), duty > 0 ? std::min(1.0, wanted_cpu / duty) : 1};
}

void add_tree_and_host(const SimSetup& setup, const SimOutcome& outcome, Dice& dice, Facts& facts) {
  const auto& run = setup.run;
  const auto times = worker_times(run, outcome);
  facts.tree.ranks = 1;
  facts.tree.workers = run.workers;
  facts.tree.main_cpu = std::min(1.0, dice.noise(0.05));
  const double cores = run.machine.cores;
  double busy = 1;
  if (run.workers > 0) {
    const double crowding = std::max(1.0, (1 + run.workers * times.duty * times.computing) / cores);
    facts.tree.worker_cpu = std::min(1.0, times.duty * times.computing * dice.noise(0.06)) / crowding;
    facts.tree.worker_disk_share = std::min(1.0, times.duty * (1 - times.computing) * dice.noise(0.1));
    facts.tree.worker_idle_share = std::max(0.0, 1 - times.duty * dice.noise(0.06));
    busy += outcome.busy_workers;
  }
  facts.host.usable_cores = cores;
  facts.host.cpu = Percent{std::min(100.0, busy / cores * 100 * dice.noise(0.04))};
  facts.host.cpu_pressure = Percent{busy > cores ? std::min(95.0, (busy / cores - 1) * 60 + 45) : 3 * dice.unit()};
  const double read = outcome.samples_per_second * run.workload.disk_per_sample * (1 - run.machine.cached_share);
  facts.host.disk_read = BytesPerSecond{read};
  facts.host.disk_busy = Percent{std::min(100.0, read / run.machine.disk_bandwidth * 100 * dice.noise(0.05))};
  facts.host.io_wait = Percent{std::min(60.0, run.workers * times.duty * (1 - times.computing) / cores * 100)};
}

void add_output(const SimSetup& setup, const SimOutcome& outcome, Dice& dice, Facts& facts) {
  facts.step.samples_per_second = said(outcome.samples_per_second * dice.noise(0.02), FactSource::kPrinted, facts.now);
  facts.settings.batch_size = said<std::uint64_t>(setup.run.batch_size, FactSource::kPrinted, facts.now);
}

void add_lens(const SimSetup& setup, const SimOutcome& outcome, Dice& dice, Facts& facts) {
  const auto& run = setup.run;
  const auto lens = [&](auto value) { return said(value, FactSource::kLens, facts.now); };
  auto& settings = facts.settings;
  settings.batch_size = lens(std::uint64_t{run.batch_size});
  settings.accumulation = lens(std::uint64_t{run.accumulation});
  settings.workers = lens(run.workers);
  settings.prefetch = lens(run.prefetch);
  settings.pin_memory = lens(run.pin_memory);
  settings.persistent_workers = lens(run.persistent_workers);
  settings.precision = lens(precision_of(run.precision));
  settings.tf32 = lens(run.precision == SimPrecision::kTf32);
  settings.checkpointing = lens(run.checkpointing);
  settings.optimizer = lens(OptimizerKind::kAdam);
  settings.learning_rate = lens(1e-3);
  settings.threads = lens(1U);
  settings.parameters = lens(static_cast<std::uint64_t>(run.workload.parameters));
  const double total = outcome.step.total();
  const auto times = worker_times(run, outcome);
  facts.step.samples_per_second = lens(outcome.samples_per_second * dice.noise(0.02));
  facts.step.step_time = lens(from_seconds(total * dice.noise(0.02)));
  facts.step.input_wait_share = lens(std::clamp(outcome.step.input_wait / total * dice.noise(0.04), 0.0, 1.0));
  facts.step.transfer_share = lens(outcome.step.transfer / total);
  facts.step.fetch_cpu_share = lens(std::clamp(times.computing * dice.noise(0.04), 0.0, 1.0));
  if (run.workers > 0) facts.step.fetch_time = lens(from_seconds(total * times.duty * run.workers * dice.noise(0.03)));
  const double activations = static_cast<double>(outcome.memory.activations.value()) / run.batch_size;
  facts.memory.activations_per_sample = lens(Bytes{static_cast<std::uint64_t>(activations)});
}

}  // namespace

Played play(const Trace& trace) {
  Model model;
  const auto feed = [&](double seconds, Payload payload) {
    update(model, Event{at_seconds(seconds), std::move(payload)});
  };
  feed(0, StreamStarted{{}, "test", "host", std::chrono::seconds{1}});
  const bool has_run = trace.depth != Depth::kGpuOnly;
  if (has_run) feed(0, RunStarted{"r", "train.py", {"python", "train.py"}, "/", kRunPid, true});
  Dice dice{trace.seed + 77};
  std::optional<SimGpu> gpu;
  SimOutcome outcome;
  std::vector<SimProcess> processes;
  if (trace.setup) {
    const auto& setup = *trace.setup;
    gpu.emplace(SimGpuSetup{.card = setup.card,
                            .index = 0,
                            .power_limit = setup.card.power_limit * setup.power_share,
                            .cooling = setup.cooling},
                trace.name);
    processes.push_back({kRunPid, SimTask{.config = setup.run}});
    if (setup.neighbour) processes.push_back({kOtherPid, SimTask{.config = *setup.neighbour}});
    std::vector<SimTask> tasks;
    for (const auto& process : processes) tasks.push_back(process.task);
    outcome = simulate_card(setup.card, tasks, setup.card.power_limit * setup.power_share).runs.front();
  }
  Advisor advisor;
  Played played;
  for (int second = 0; second < kSeconds; ++second) {
    if (gpu) {
      processes.front().task.leaked = Bytes{static_cast<std::uint64_t>(trace.setup->leak * second)};
      feed(second, GpusSampled{{gpu->read(at_seconds(second), processes)}});
      std::vector<ProcessReading> known;
      for (const auto& process : processes) {
        ProcessReading reading;
        reading.pid = reading.root = process.pid;
        known.push_back(reading);
      }
      feed(second, ProcessesSampled{known});
    }
    auto facts = gather_facts(model);
    facts.now = at_seconds(second);
    facts.age = from_seconds(second);
    facts.steady = second >= 20;
    facts.depth = trace.depth;
    facts.has_run = has_run;
    if (trace.setup && has_run) {
      add_tree_and_host(*trace.setup, outcome, dice, facts);
      if (trace.depth == Depth::kLens)
        add_lens(*trace.setup, outcome, dice, facts);
      else
        add_output(*trace.setup, outcome, dice, facts);
    }
    if (trace.edit) trace.edit(facts);
    advisor.observe(facts);
    played.facts = std::move(facts);
  }
  played.advice = advisor.advice();
  return played;
}

}  // namespace gputop::traces
