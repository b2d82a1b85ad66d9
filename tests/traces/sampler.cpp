// Runs from the simulator's whole space, labelled by where their time really goes.
#include <algorithm>

#include "traces/dice.hpp"
#include "traces/trace.hpp"

namespace gputop::traces {
namespace {

SimRunConfig random_run(Dice& dice) {
  SimRunConfig run;
  constexpr unsigned kBatches[] = {4, 8, 16, 32, 64, 128};
  run.batch_size = kBatches[dice.pick(6)];
  run.accumulation = dice.chance(0.25) ? 1 + dice.pick(4) : 1;
  run.workers = dice.chance(0.12) ? 0 : 1 + dice.pick(12);
  run.prefetch = 2 + dice.pick(3);
  run.pin_memory = dice.chance(0.85);
  run.persistent_workers = dice.chance(0.5);
  run.precision = dice.chance(0.5)   ? SimPrecision::kAmpFp16
                  : dice.chance(0.7) ? SimPrecision::kFp32
                                     : SimPrecision::kTf32;
  run.checkpointing = dice.chance(0.1);
  auto& work = run.workload;
  const double size = dice.spread(0.05, 8);
  work.parameters = 20e6 * size * dice.between(0.5, 2);
  work.flops_per_sample = 12e9 * size * dice.between(0.5, 2);
  work.traffic_per_sample = 0.3e9 * size * dice.between(0.5, 2);
  work.half_full_batch = dice.spread(0.3, 6);
  work.activation_per_sample = Bytes{static_cast<std::uint64_t>(60e6 * size * dice.between(0.5, 2))};
  work.sample = Bytes{static_cast<std::uint64_t>(dice.spread(5e4, 3e6))};
  work.cpu_per_sample = dice.spread(0.2e-3, 12e-3);
  work.disk_per_sample = dice.spread(2e4, 2e6);
  work.host_per_step = dice.spread(4e-3, 80e-3);
  work.sync_per_step = dice.spread(0.2e-3, 3e-3);
  constexpr unsigned kCores[] = {4, 8, 16, 32, 64};
  run.machine.cores = kCores[dice.pick(5)];
  run.machine.disk_bandwidth = dice.spread(8e7, 3e9);
  run.machine.cached_share = dice.chance(0.3) ? dice.between(0.5, 1) : 0;
  return run;
}

// What limits the loader, as the physics has it.
bool disk_is_slower(const SimRunConfig& run) {
  const double disk = run.workload.disk_per_sample * (1 - run.machine.cached_share) / run.machine.disk_bandwidth;
  const double workers = std::max(1.0, static_cast<double>(std::min(run.workers, run.machine.cores)));
  const double cpu = run.workload.cpu_per_sample;
  return run.workers == 0 ? disk > cpu : disk > cpu / workers;
}

struct Label {
  std::string kind;
  std::set<std::string> truth;
};

// nullopt: between two labels, or none the simulator can be sure of.
std::optional<Label> label_of(const SimCard& card, const SimRunConfig& run, const SimOutcome& outcome) {
  const auto& step = outcome.step;
  const double total = step.total();
  const double input = step.input_wait / total;
  const double host = step.host / total;
  const double compute = step.compute / total;
  const double transfer = step.transfer / total;
  if (run.workers > run.machine.cores) {
    auto fewer = run;
    fewer.workers = run.machine.cores - 1;
    const double gain = simulate(card, fewer).samples_per_second / outcome.samples_per_second;
    if (gain < 1.15) return std::nullopt;
    return Label{"too many workers", {"host_oversubscribed", "too_many_workers"}};
  }
  if (run.workers + 1 > run.machine.cores) return std::nullopt;
  if (input >= 0.15 && input > 1.3 * host && input > 1.3 * transfer) {
    const double disk = run.workload.disk_per_sample * (1 - run.machine.cached_share) / run.machine.disk_bandwidth;
    const double workers = std::max(1.0, static_cast<double>(run.workers));
    const double ratio = disk / (run.workload.cpu_per_sample / workers);
    if (ratio > 0.6 && ratio < 1.7) return std::nullopt;
    return disk_is_slower(run) ? Label{"disk-bound input", {"input_disk_bound"}}
                               : Label{"CPU-bound input", {"input_cpu_bound"}};
  }
  if (input > 0.06) return std::nullopt;
  if (transfer >= 0.15 && transfer > 1.3 * host) return Label{"copies", {"low_utilization"}};
  if (transfer > 0.06) return std::nullopt;
  if (host >= 0.18) return Label{"small batch", {"small_batch"}};
  if (host > 0.08 || compute < 0.88) return std::nullopt;
  const bool amp = run.precision == SimPrecision::kAmpFp16;
  if (amp) return Label{"healthy", {"healthy"}};
  const bool ampere = card.capability >= ComputeCapability{8, 0};
  return ampere ? Label{"precision", {"precision_amp", "precision_tf32"}} : Label{"precision", {"precision_amp"}};
}

// Trouble on top of a run that is well set.
std::optional<Label> trouble(Dice& dice, SimSetup& setup) {
  switch (dice.pick(4)) {
    case 0: setup.cooling = dice.between(0.3, 0.4); return Label{"thermal", {"thermal_throttle"}};
    case 1: setup.power_share = dice.between(0.5, 0.62); return Label{"power cap", {"power_cap"}};
    case 2: setup.leak = dice.spread(2e6, 1.2e7); return Label{"leak", {"gpu_memory_leak"}};
    default: {
      setup.neighbour = setup.run;
      setup.neighbour->batch_size = std::max(1U, setup.run.batch_size / 2);
      return Label{"neighbour", {"gpu_neighbour"}};
    }
  }
}

std::optional<Trace> draw(std::uint64_t seed, unsigned attempt) {
  Dice dice{seed * 4099 + attempt};
  const auto cards = sim_cards();
  SimSetup setup{.card = cards[dice.pick(static_cast<unsigned>(cards.size()))], .run = random_run(dice)};
  if (!check(setup.run)) return std::nullopt;
  const auto outcome = simulate(setup.card, setup.run);
  if (outcome.oom) return std::nullopt;
  auto label = label_of(setup.card, setup.run, outcome);
  if (!label) return std::nullopt;
  if (label->kind == "healthy" && dice.chance(0.5)) {
    label = trouble(dice, setup);
    const Watts budget = setup.card.power_limit * setup.power_share;
    std::vector<SimTask> tasks{{.config = setup.run}};
    if (setup.neighbour) tasks.push_back({.config = *setup.neighbour});
    const auto load = simulate_card(setup.card, tasks, budget);
    for (const auto& run : load.runs) {
      if (run.oom) return std::nullopt;
    }
    if (label->kind == "power cap" && load.clock > 0.84) return std::nullopt;
    // A card that draws little does not get hot whatever its cooling.
    if (label->kind == "thermal" && load.power < setup.card.power_limit * 0.9) return std::nullopt;
    if (label->kind == "leak" &&
        static_cast<double>((setup.card.usable() - load.memory_used).value()) < setup.leak * 300)
      return std::nullopt;
  }
  Trace trace{.name = label->kind + " #" + std::to_string(seed),
              .kind = label->kind,
              .truth = label->truth,
              .seed = seed,
              .setup = setup};
  // Below the lens less can be told: runs it must be right about there have clear signs from outside.
  const bool blunt = label->kind == "CPU-bound input" || label->kind == "small batch" || label->kind == "healthy";
  if (blunt && dice.chance(0.4)) {
    trace.depth = dice.chance(0.5) ? Depth::kOutput : Depth::kGpuOnly;
    const double used = outcome.utilization.value();
    if (trace.depth == Depth::kGpuOnly) {
      if (label->kind != "healthy" && used > 60) return std::nullopt;
      if (label->kind != "healthy") trace.truth = {"low_utilization"};
    } else if (setup.run.workers == 0) {
      return std::nullopt;  // nobody outside can tell Python from loading in one process
    } else if (label->kind == "small batch" && outcome.busy_workers / setup.run.workers > 0.3) {
      trace.truth.insert("low_utilization");  // workers neither busy nor asleep: not to be told from outside
      if (used > 60) return std::nullopt;
    }
    trace.name += trace.depth == Depth::kGpuOnly ? " (NVML only)" : " (no lens)";
  }
  return trace;
}

}  // namespace

std::vector<Trace> sampled(std::uint64_t first_seed, std::size_t count) {
  std::vector<Trace> traces;
  for (std::uint64_t seed = first_seed; traces.size() < count; ++seed) {
    for (unsigned attempt = 0; attempt < 4000; ++attempt) {
      auto trace = draw(seed, attempt);
      if (!trace) continue;
      // Every kind gets its share, or the space would be mostly launch-bound.
      const auto same =
          std::count_if(traces.begin(), traces.end(), [&](const Trace& other) { return other.kind == trace->kind; });
      if (static_cast<std::size_t>(same) > count / 9) continue;
      traces.push_back(*std::move(trace));
      break;
    }
  }
  return traces;
}

}  // namespace gputop::traces
