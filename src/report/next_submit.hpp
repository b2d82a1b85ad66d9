// What to request from Slurm next time.
#pragma once

#include <string>

#include "gputop/app/model.hpp"

namespace gputop {

// Lines for the head of the batch script, each with what was measured; "" where Slurm did not start the run, or where
// it has not ended.
std::string next_submit(const Model& model);

}  // namespace gputop
