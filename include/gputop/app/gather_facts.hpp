// Model → Facts: what the advisor may know of all that happened.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/app/model.hpp"

namespace gputop {

// What windowed figures cover while a run is watched: long enough to be calm, short enough to follow a change.
inline constexpr Duration kFactsWindow = std::chrono::minutes{2};
// All that is kept: for a recording that is looked at as a whole.
inline constexpr Duration kWholeWindow = Duration::max();

Facts gather_facts(const Model& model);
std::vector<GpuFacts> gpu_facts(const Model& model, Duration window);
HostFacts host_facts(const Model& model, Duration window);

}  // namespace gputop
