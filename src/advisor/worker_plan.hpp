// How many loader workers would keep up with the GPU, and what limits their number.
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

// The highest useful number of workers: one core is left for the launching process, unless data is the bottleneck.
unsigned most_workers(const Situation& situation, double cores);

// Whether this run keeps the cores busy, rather than another one; true if unknown.
bool crowd_is_ours(const Facts& facts);

// More workers than cores, and no idle core.
bool cores_overrun(const Situation& situation);

// Whether workers leave cores idle, whatever their number: they wait for a disk, a network or queue space.
bool workers_rest(const Situation& situation, unsigned workers, double cores);

// Cores that one rank may use.
Reading<double> cores_per_rank(const Facts& facts);

}  // namespace gputop
