// gputop ls: this user's runs and Slurm jobs.
#pragma once

#include <string>

namespace gputop {

// The live ones, and with `all` also the finished ones; as a table, or as JSON (schema gputop.runs/1).
std::string run_list(bool all, bool json);

}  // namespace gputop
