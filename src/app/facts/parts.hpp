// The parts of gather_facts(); each fills its own piece from one source.
#pragma once

#include "app/facts/take.hpp"
#include "gputop/advisor/facts.hpp"
#include "gputop/app/model.hpp"

namespace gputop::facts {

constexpr auto kLens = FactSource::kLens;
constexpr Duration kLongWindow = std::chrono::minutes{20};  // for slow changes

struct Gathering {
  const Model& model;
  Facts& facts;
  Taker take;
  Instant from;  // start of the window
};

void add_lens_settings(Gathering& gathering, const LensProcess& process);
void add_lens_steps(Gathering& gathering, const LensProcess& process);
void add_written(Gathering& gathering, const WrittenSettings& written);
void add_printed(Gathering& gathering, const RunProgress& progress);
void add_ranks(Gathering& gathering);
void add_memory(Gathering& gathering, const LensProcess* process);
void add_gpus(Gathering& gathering);
void add_efficiency(Gathering& gathering, const LensProcess* process);  // after everything it is made of
void add_transfer(Gathering& gathering, const LensProcess& process);     // after the same
void add_host(Gathering& gathering);
void add_tree(Gathering& gathering);
void add_earlier(Gathering& gathering, const std::vector<RunPoint>& points);

// The GPU of the process, or the first that the run uses; nullptr: none is known.
const GpuFacts* gpu_of(const Gathering& gathering, const LensProcess* process);
// Steps of the optimizer per second: a step of StepFacts is one backward pass.
Reading<double> optimizer_rate(const Facts& facts, const LensProcess& process);

// Means, and the like, over the window; unknown when nothing was read in it.
Reading<double> mean(const History& history, const Gathering& gathering);
std::optional<WindowStatistics> statistics(const History& history, const Gathering& gathering);

}  // namespace gputop::facts
