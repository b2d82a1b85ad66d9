// What a run needs for the lens to be in it, and why it may have to do without.
#pragma once

#include <string>
#include <vector>

#include "gputop/run/launch.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// Why there will be no lens in a job with these words, for people; "" when there may be one.
std::string why_no_lens(bool wanted, const std::vector<std::string>& job);

// The lens's files, into the run's directory.
Status put_lens(const std::filesystem::path& directory);

// Has the launch put the lens's files into the run's directory and its variables into the job's environment.
// `overrides` as of launch_overrides(). A directory that cannot be written to costs the lens, not the run.
void add_lens(run::LaunchRequest& request, const std::string& overrides);

}  // namespace gputop
