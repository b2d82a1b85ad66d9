// The screen of a job on many nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// How the job is reached: through its recordings, or through commands that run `gputop stream` on its nodes.
struct JobWay {
  std::string job;                                 // an id, a folder, a pattern
  std::vector<std::vector<std::string>> commands;  // empty: through the recordings
  std::string transport;                           // for people: "srun on 3 nodes"
  std::optional<double> replay;                    // from the beginning, so many times as fast; like ReplaySource's speed
};

// `via` is a template such as "ssh {host}" for the nodes `on`; "": through the recordings, or through Slurm.
Result<JobWay> way_to_job(const std::string& job, const std::string& via, const std::vector<std::string>& on);

int watch_job(const JobWay& way, const WatchOptions& options);

}  // namespace gputop
