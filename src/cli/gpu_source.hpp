// --source and --demo → the source they name.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "gputop/core/source.hpp"

namespace gputop::cli {

// How the reading will be used: a snapshot waits for the slow readings, a monitor has the next tick for them.
enum class Pace { kOnce, kAgainAndAgain };

// Errors are usage errors: an unknown source or scenario, with a suggestion.
Result<std::unique_ptr<Source>> make_gpu_source(const Options& options, Pace pace);

}  // namespace gputop::cli
