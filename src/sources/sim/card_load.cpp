// Several runs on one card, within a power budget.
#include <algorithm>

#include "gputop/sources/sim_physics.hpp"

namespace gputop {
namespace {

constexpr double kLowestClock = 0.25;  // a real card does not go lower under load

SimOutcome outcome_of(const SimCard& card, const SimTask& task, const SimConditions& conditions) {
  auto outcome = simulate(card, task.config, conditions);
  if (outcome.oom) return outcome;
  if (task.phase == SimPhase::kValidating) {
    // The allocator keeps what training needed, so only the speed changes.
    const auto memory = outcome.memory;
    outcome = simulate(card, validating(task.config), conditions);
    outcome.memory = memory;
    outcome.memory_used = memory.total();
  } else if (task.phase != SimPhase::kTraining) {
    SimOutcome still;
    still.memory = outcome.memory;
    still.memory_used =
        task.phase == SimPhase::kStarting ? outcome.memory.context + outcome.memory.weights : outcome.memory.total();
    still.epoch_start = outcome.epoch_start;
    still.power = card.idle_power + (card.power_limit - card.idle_power) * 0.1;
    still.sm_clock = outcome.sm_clock;
    outcome = still;
  }
  outcome.memory_used += task.leaked;
  return outcome;
}

SimLoad at_clock(const SimCard& card, std::span<const SimTask> tasks, double clock) {
  SimLoad load{.power = card.idle_power, .clock = clock};
  double demand = 0;
  for (const auto& task : tasks) demand += outcome_of(card, task, {.clock = clock}).utilization.value() / 100;
  for (const auto& task : tasks) {
    load.runs.push_back(outcome_of(card, task, {.neighbours = load.memory_used, .clock = clock, .demand = demand}));
    const auto& outcome = load.runs.back();
    load.memory_used += outcome.memory_used;
    load.utilization += outcome.utilization;
    load.memory_utilization += outcome.memory_utilization;
    load.power += outcome.power - card.idle_power;
  }
  load.utilization = std::min(load.utilization, Percent{100});
  load.memory_utilization = std::min(load.memory_utilization, Percent{100});
  load.power = std::min(load.power, card.max_power_limit);
  return load;
}

}  // namespace

std::string_view to_string(SimPhase phase) {
  switch (phase) {
    case SimPhase::kStarting: return "starting";
    case SimPhase::kWaiting: return "waiting";
    case SimPhase::kTraining: return "training";
    case SimPhase::kValidating: return "validating";
  }
  return "?";
}

SimLoad simulate_card(const SimCard& card, std::span<const SimTask> tasks, Watts budget) {
  auto load = at_clock(card, tasks, 1);
  if (load.power <= budget) return load;
  // Power rises with the clock, so bisection finds the highest clock within the budget.
  double low = kLowestClock;
  double high = 1;
  for (int i = 0; i < 24; ++i) {
    const double middle = (low + high) / 2;
    (at_clock(card, tasks, middle).power <= budget ? low : high) = middle;
  }
  load = at_clock(card, tasks, low);
  load.limited = true;
  return load;
}

}  // namespace gputop
