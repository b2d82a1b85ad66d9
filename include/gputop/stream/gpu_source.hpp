// --source and --demo → the source they name.
#pragma once

#include <memory>

#include "gputop/core/result.hpp"
#include "gputop/core/source.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// How the reading will be used: a snapshot waits for the slow readings, a monitor has the next tick for them.
enum class Pace { kOnce, kAgainAndAgain };

// Errors are usage errors: an unknown source or scenario, with a suggestion.
Result<std::unique_ptr<Source>> make_gpu_source(const WatchOptions& options, Pace pace);

}  // namespace gputop
