// The section `estimate:` of a configuration: the estimator's own words, in front of whatever else the file says.
#pragma once

#include <string>

#include "gputop/config/training_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop {

// False when there is none.
bool read_estimate_section(const knobs::Document& document, const std::string& file, TrainingFile& result);

}  // namespace gputop
