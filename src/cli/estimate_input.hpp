// The input of `estimate` and `show`: the file, the flags that override it, the tables, the GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gputop/config/estimator_tables.hpp"
#include "gputop/config/training_file.hpp"

namespace gputop::cli {

struct EstimateInput {
  std::vector<std::string> files;  // of --config
  TrainingFile file;
  EstimateRequest request;  // the file's, overridden by the flags
  EstimatorTables tables;
};

// Errors are usage errors: their message names the flag, or the file and line.
Result<EstimateInput> estimate_input(const Options& options);

// The named card, the given memory, or a GPU of this machine. nullopt: there is none, and `missing` says why and what
// to pass.
Result<std::optional<TargetGpu>> target_gpu(const Options& options, const EstimateInput& input, std::string& missing);

}  // namespace gputop::cli
