// The section `estimate:` of a configuration: the estimator's own keys, which outrank everything else in the file.
#pragma once

#include <string>

#include "gputop/config/training_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop {

// False if there is none.
bool read_estimate_section(const knobs::Document& document, const std::string& file, TrainingFile& result);

}  // namespace gputop
