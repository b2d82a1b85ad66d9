// What a run needs to load the lens, and why it may have to run without it.
#pragma once

#include <string>
#include <vector>

#include "gputop/run/launch.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// Why a job with these arguments cannot have the lens, for the user; "" if it can.
std::string why_no_lens(bool wanted, const std::vector<std::string>& job);

// Writes the lens's files into the run's directory.
Status put_lens(const std::filesystem::path& directory);

// Makes the launch write the lens's files into the run's directory and set its variables in the job's environment.
// `overrides` as returned by launch_overrides(). An unwritable directory costs the lens, not the run.
void add_lens(run::LaunchRequest& request, const std::string& overrides);

}  // namespace gputop
