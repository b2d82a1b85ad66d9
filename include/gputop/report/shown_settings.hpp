// The settings of a training configuration and their places, as text and JSON.
#pragma once

#include <string>
#include <vector>

#include "gputop/estimator/estimate.hpp"

namespace gputop {

struct ShownSetting {
  std::string name;
  std::string value;
  std::string place;  // "12 data_loader.batch_size": the line and the key; "--batch"
  bool used = false;  // by the estimate
  std::string file;   // "train.yaml", "command line"
};

// `why` replaces the estimate if there is none.
std::string settings_text(const std::vector<ShownSetting>& settings, const Estimate* estimate, const std::string& why);
std::string settings_json(const std::vector<ShownSetting>& settings, const Estimate* estimate, const std::string& why);

}  // namespace gputop
