// A training configuration of the user's (YAML or JSON; the knobs of a Python or TOML file), read for the estimator:
// its `estimate:` section, or, where it has none, the settings found under their usual names. Nothing is changed here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/problem.hpp"
#include "gputop/core/result.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {

// A setting as it stands in the file.
struct FoundSetting {
  std::string key;    // the estimator's name, or the knob's: "batch", "workers"
  std::string path;   // "data_loader.batch_size", "curriculum.stages[1].seq_length"
  std::string value;  // as written
  int line = 0;
  bool used = false;  // the estimate depends on it
};

struct TrainingFile {
  bool has_section = false;  // `estimate:`; else the request is what was found under usual names
  EstimateRequest request;
  std::vector<StageRequest> stages;
  std::vector<FoundSetting> settings;  // in the order of the file (Python, TOML: of the knobs); those of stages too
  std::vector<Problem> problems;       // values that cannot be read
};

// Pure; `file` is only for the problems.
TrainingFile parse_training_file(std::string_view text, std::string_view file);
// An error when there is no such file.
Result<TrainingFile> load_training_file(const std::filesystem::path& path);

}  // namespace gputop
