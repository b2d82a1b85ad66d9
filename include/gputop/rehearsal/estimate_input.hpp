// The input of `estimate` and `show`: the file, the flags that override it, the tables, the GPU.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gputop/config/estimator_tables.hpp"
#include "gputop/config/training_file.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// What the command line says: files or a command, and the keys of a request with their values.
struct EstimateWords {
  std::vector<std::string> configs;
  std::vector<std::string> job;
  std::vector<std::pair<std::string, std::string>> estimate;
};

struct EstimateInput {
  std::vector<std::string> files;  // of --config
  TrainingFile file;
  EstimateRequest request;  // the file's, overridden by the flags
  EstimatorTables tables;
};

// Errors are usage errors: their message names the flag, or the file and line.
Result<EstimateInput> estimate_input(const EstimateWords& options);

// The cards that --gpu names to be compared: several, or all of the table; empty if it names one or none.
Result<std::vector<GpuCard>> compared_cards(const EstimateInput& input);

// The named card, the given memory, or a GPU of this machine. nullopt: there is none, and `missing` says why and what
// to pass.
Result<std::optional<TargetGpu>> target_gpu(const WatchOptions& options,
                                            const EstimateInput& input,
                                            std::string& missing);

// The one that --gpu N names, or the roomiest; nullopt: there is none.
std::optional<TargetGpu> gpu_of_this_machine(const WatchOptions& options, const EstimateInput& input);

}  // namespace gputop
