// Simulated GPUs: named scenarios, or a card that reacts to the bundled example run.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/core/source.hpp"

namespace gputop {

// idle healthy input_bound small_batch leak thermal power_cap oom lost multi
std::span<const std::string_view> sim_scenarios();

// A scenario by name ("sim:thermal"), or "" for the closed loop ("sim"): the card is idle until an example run appears
// on the bus (sim_bus.hpp), then takes the load of that run's configuration.
//
// Readings depend only on the scenario, the GPU and the times of the ticks. Everything is emitted from within start()
// and tick(). A scenario's processes have gputop's own pid, because no real process stands for them.
Result<std::unique_ptr<Source>> make_sim_source(std::string_view scenario);

}  // namespace gputop
