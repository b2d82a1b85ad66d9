// What `estimate` and `show` work on: the file, the flags on top of it, the tables, the GPU.
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
  EstimateRequest request;  // the file's, with the flags on top
  EstimatorTables tables;
};

// Errors are usage errors: their message names the flag, or the file and line.
Result<EstimateInput> estimate_input(const Options& options);

// The card that was named, the memory that was given, else a GPU of this machine. nullopt: there is none, and `missing`
// says why and what to give.
Result<std::optional<TargetGpu>> target_gpu(const Options& options, const EstimateInput& input, std::string& missing);

}  // namespace gputop::cli
