// A configuration in Python or TOML, read for the estimator by way of the knobs: what can be changed there can be
// shown.
#pragma once

#include <string>
#include <string_view>

#include "gputop/config/training_file.hpp"
#include "gputop/knobs/table.hpp"

namespace gputop {

TrainingFile parse_training_knobs(std::string_view text, const std::string& file, const knobs::KnobTable& table);

}  // namespace gputop
