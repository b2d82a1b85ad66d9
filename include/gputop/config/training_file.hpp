// The user's training configurations, read for the estimator: an `estimate:` section, or the settings found under their
// usual names (knobs.yaml) in the files and on the command line of a run. Changes nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/problem.hpp"
#include "gputop/estimator/estimate.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop {

// A setting as it is written.
struct FoundSetting {
  std::string key;    // the estimator's name, or the knob's: "batch", "workers"
  std::string path;   // "data_loader.batch_size", "curriculum.stages[1].seq_length", "--batch-size"
  std::string value;  // as written
  int line = 0;
  bool used = false;  // the estimate depends on it
  std::string file = {};  // "": the command line
};

struct TrainingFile {
  bool has_section = false;  // `estimate:`; otherwise the request consists of what was found under usual names
  EstimateRequest request;
  std::vector<StageRequest> stages;
  std::vector<FoundSetting> settings;  // in the order of the files, including those of stages
  std::vector<Problem> problems;       // values that cannot be read
};

// Pure. `stage_files`: each file is a stage of its own.
TrainingFile read_training(const knobs::KnobTable& table,
                           const knobs::Found& found,
                           std::span<const knobs::SourceFile> files,
                           bool stage_files);

// A single file.
TrainingFile parse_training_file(std::string_view text, std::string_view file, const knobs::KnobTable& table);

}  // namespace gputop
