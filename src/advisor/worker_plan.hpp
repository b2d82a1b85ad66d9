// How many loader workers would keep up with the GPU, and what keeps there from being more.
#pragma once

#include <optional>
#include <string>

#include "advisor/situation.hpp"

namespace gputop {

struct WorkerAnswer {
  std::optional<Change> change;
  unsigned to = 0;
  std::string refusal;  // why there is no change
};
WorkerAnswer more_workers(const Situation& situation);

// The most workers that are of use: one core stays with the process that launches, unless data is what is waited for.
unsigned most_workers(const Situation& situation, double cores);

// Whether it is this run that keeps the cores busy, and not somebody else's; true where that is not known.
bool crowd_is_ours(const Facts& facts);

// More workers than cores, and no core left.
bool cores_overrun(const Situation& situation);

// Whether workers leave cores free, however many they are: they wait for a disk, a network or room in the queue.
bool workers_rest(const Situation& situation, unsigned workers, double cores);

// Cores that one rank may use.
Reading<double> cores_per_rank(const Facts& facts);

}  // namespace gputop
