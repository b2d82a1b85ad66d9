#include "sources/sim/scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/sources/sim_source.hpp"

namespace gputop {
namespace {

using namespace literals;

constexpr std::array<std::string_view, 10> kNames{"idle",    "healthy",   "input_bound", "small_batch", "leak",
                                                  "thermal", "power_cap", "oom",         "lost",        "multi"};

SimRunConfig well_set() {
  SimRunConfig run;
  run.batch_size = 64;
  run.workers = 6;
  return run;
}

// One worker decodes for a card that could process four times as much.
SimRunConfig starved() {
  auto run = well_set();
  run.workers = 1;
  run.workload.cpu_per_sample = 3.5e-3;
  return run;
}

// 559,738 parameters at batch 32: kernels of microseconds between milliseconds of Python.
SimRunConfig tiny_model() {
  SimRunConfig run;
  run.batch_size = 32;
  run.workload.parameters = 559'738;
  run.workload.flops_per_sample = 0.2e9;
  run.workload.traffic_per_sample = 3e6;
  run.workload.half_full_batch = 4;
  run.workload.activation_per_sample = 400_KiB;
  run.workload.sample = 12'288_B;
  run.workload.workspace = 16_MiB;
  run.workload.context = 122_MiB;
  run.workload.cpu_per_sample = 0.2e-3;
  run.workload.disk_per_sample = 3e3;
  run.workload.host_per_step = 8.5e-3;
  run.workload.sync_per_step = 0.5e-3;
  return run;
}

// The problem `name` on one card; multi puts one of each side by side.
SimStory story(std::string_view name, const SimCard& card) {
  SimStory gpu{.card = card, .run = well_set(), .power_limit = card.power_limit};
  if (name == "idle") gpu.run.reset();
  if (name == "input_bound") gpu.run = starved();
  if (name == "small_batch") gpu.run = tiny_model();
  if (name == "thermal") gpu.cooling = 0.35;
  if (name == "power_cap") gpu.power_limit = card.power_limit * 0.63;
  if (name == "leak") gpu.fills_in = 900;
  if (name == "oom") gpu.fills_in = 30;
  if (name == "leak" || name == "oom") gpu.pause = 10;
  if (name == "lost") {
    gpu.lost_at = 20;
    gpu.returns_at = 50;
  }
  return gpu;
}

}  // namespace

std::span<const std::string_view> sim_scenarios() {
  return kNames;
}

std::optional<SimScenario> find_scenario(std::string_view name) {
  const auto known = std::find(kNames.begin(), kNames.end(), name);
  if (known == kNames.end()) return std::nullopt;
  SimScenario scenario{.name = *known, .gpus = {}};
  if (name == "multi") {
    const SimCard card = *find_sim_card("A100 80GB");
    for (const auto trouble :
         {"healthy", "input_bound", "small_batch", "leak", "thermal", "power_cap", "oom", "lost"}) {
      scenario.gpus.push_back(story(trouble, card));
    }
    return scenario;
  }
  const SimCard card = name == "small_batch" ? *find_sim_card("RTX 4050") : default_sim_card();
  if (name == "lost") scenario.gpus.push_back(story("healthy", card));  // the one that survives
  scenario.gpus.push_back(story(name, card));
  return scenario;
}

SimMoment moment_of(const SimStory& story, double seconds) {
  SimMoment moment;
  moment.lost = story.lost_at && seconds >= *story.lost_at && seconds < story.returns_at;
  // A run does not survive the loss of its card.
  const bool lost_its_card = story.lost_at && seconds >= *story.lost_at;
  if (!story.run || lost_its_card) return moment;
  SimTask task{.config = *story.run};
  if (story.fills_in > 0) {
    const double alive = std::fmod(seconds, story.fills_in + story.pause);
    if (alive >= story.fills_in) return moment;
    const Bytes free = story.card.usable() - simulate(story.card, task.config).memory_used;
    task.leaked = free * (alive / story.fills_in);
  }
  moment.task = task;
  return moment;
}

}  // namespace gputop
