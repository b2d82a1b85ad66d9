// The purpose of each process in the run's tree: ranks train, workers load data for them, the rest helps.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "gputop/core/host.hpp"

namespace gputop {

enum class ProcessRole : std::uint8_t { kHelper, kRank, kWorker };
std::string_view to_string(ProcessRole role);  // "helper", "rank", "worker"

struct TreeHints {
  std::int64_t root = 0;               // the job
  std::vector<std::int64_t> trainers;  // known to train: their lens says so, or they hold GPU memory
};

// The role of every process at and below the root. PyTorch's loader workers are recognized however they were started:
// forked ones have their rank's command line, spawned and forkserver ones are multiprocessing's children.
std::map<std::int64_t, ProcessRole> process_roles(const std::vector<ProcessReading>& processes, const TreeHints& hints);

}  // namespace gputop
