// The screen of a job on many nodes.
#pragma once

#include <string>
#include <vector>

#include "gputop/stream/watch_options.hpp"

namespace gputop {

// How the job is reached: by its recordings, or by commands that run `gputop stream` where it is.
struct JobWay {
  std::string job;                                 // an id, a folder, a pattern
  std::vector<std::vector<std::string>> commands;  // empty: by the recordings
  std::string transport;                           // for people: "srun on 3 nodes"
};

int watch_job(const JobWay& way, const WatchOptions& options);

}  // namespace gputop
