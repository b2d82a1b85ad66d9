// The run's process tree over time, added up by role.
#pragma once

#include <map>
#include <vector>

#include "gputop/app/process_roles.hpp"
#include "gputop/core/history.hpp"
#include "gputop/core/reading.hpp"

namespace gputop {

struct TreeTrack {
  std::map<std::int64_t, ProcessRole> roles;  // as of the last reading
  Instant at;                                 // of it
  unsigned ranks = 0;
  unsigned most_ranks = 0;  // at once: the last of them are not gone at the same time
  unsigned workers = 0;
  unsigned last_workers = 0;      // when there were some: they are gone before the run is
  History worker_cpu{kPoints};    // mean cores of one
  History worker_disk{kPoints};   // share of them in D
  History worker_idle{kPoints};   // share of their time neither computing nor in D
  History worker_ready{kPoints};  // share of them that could run, less what they computed: none of it a lack of work
  History main_cpu{kPoints};      // cores of the busiest rank
  History helper_cpu{kPoints};    // cores of all helpers
  History involuntary{kPoints};   // switches per second, whole tree
  History read{kPoints};          // bytes/s from disk, whole tree
  History asked{kPoints};         // bytes/s by read(2), from disk or page cache
  History resident{kPoints};      // bytes, whole tree
  double most_resident = 0;       // of those, since the run began
  double cores = 0;               // that the whole tree uses, over the last readings
  double most_cores = 0;          // of those

  static constexpr std::size_t kPoints = 1200;
};

void update(TreeTrack& track, Instant at, const std::vector<ProcessReading>& processes, const TreeHints& hints);

}  // namespace gputop
