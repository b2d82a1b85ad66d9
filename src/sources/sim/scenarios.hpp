// The named scenarios: the cards of a simulated machine and the problem of each.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gputop/sources/sim_physics.hpp"

namespace gputop {

// What happens on one GPU of a scenario. Times are seconds since the source started.
struct SimStory {
  SimCard card;
  std::optional<SimRunConfig> run{};  // nullopt: unused
  double cooling = 1;
  Watts power_limit{};
  double fills_in = 0;  // seconds in which a growing run takes all free memory and dies; 0: it does not grow
  double pause = 0;     // seconds until it restarts
  std::optional<double> lost_at{};
  double returns_at = 0;
};

// One point in time of a story.
struct SimMoment {
  bool lost = false;
  std::optional<SimTask> task;
};
SimMoment moment_of(const SimStory& story, double seconds);

struct SimScenario {
  std::string_view name;
  std::vector<SimStory> gpus;
};
// nullopt: no such scenario.
std::optional<SimScenario> find_scenario(std::string_view name);

}  // namespace gputop
