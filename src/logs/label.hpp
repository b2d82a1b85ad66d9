// What the words before a bar or a line say: training, validation, or neither; which epoch.
#pragma once

#include <string_view>

#include "gputop/logs/progress.hpp"

namespace gputop::logs {

Phase phase_of(std::string_view label);
// Epoch, loss and the like that a bar's label holds.
void read_label(std::string_view label, Progress& progress);

}  // namespace gputop::logs
