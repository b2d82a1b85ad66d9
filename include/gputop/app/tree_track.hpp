// The run's process tree over time, summed by role.
#pragma once

#include <map>
#include <vector>

#include "gputop/app/process_roles.hpp"
#include "gputop/core/history.hpp"
#include "gputop/core/reading.hpp"

namespace gputop {

struct TreeTrack {
  std::map<std::int64_t, ProcessRole> roles;  // as of the last reading
  Instant at;                                 // of that reading
  unsigned ranks = 0;
  unsigned most_ranks = 0;  // at once: ranks do not all end at the same moment
  unsigned workers = 0;
  unsigned last_workers = 0;      // of the last reading that had any: they end before the run does
  History worker_cpu{kPoints};    // mean cores per worker
  History worker_disk{kPoints};   // share of workers in state D
  History worker_idle{kPoints};   // share of their time neither computing nor in state D
  History worker_ready{kPoints};  // share of workers that were runnable, minus what they computed: not caused by a lack of work
  History main_cpu{kPoints};      // cores of the busiest rank
  History helper_cpu{kPoints};    // cores of all helpers
  History involuntary{kPoints};   // switches per second, whole tree
  History read{kPoints};          // bytes/s from disk, whole tree
  History asked{kPoints};         // bytes/s by read(2), from disk or page cache
  History resident{kPoints};      // bytes, whole tree
  double most_resident = 0;       // the highest of those since the run began
  double cores = 0;               // used by the whole tree over the last readings
  double most_cores = 0;          // the highest of those

  static constexpr std::size_t kPoints = 1200;
};

void update(TreeTrack& track, Instant at, const std::vector<ProcessReading>& processes, const TreeHints& hints);

}  // namespace gputop
