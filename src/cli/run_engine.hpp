// The engine process of a run: what gputop is when its keeper starts it.
#pragma once

#include <string>
#include <vector>

#include "gputop/run/run_channel.hpp"

namespace gputop::cli {

int run_engine(run::RunChannel channel, const std::vector<std::string>& arguments);

}  // namespace gputop::cli
