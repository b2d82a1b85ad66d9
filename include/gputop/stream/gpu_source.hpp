// --source and --demo → the source they name.
#pragma once

#include <memory>

#include "gputop/core/result.hpp"
#include "gputop/core/source.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

// How the reading is used: a snapshot waits for slow readings, a monitor gets them with the next tick.
enum class Pace { kOnce, kAgainAndAgain };

// Errors are usage errors: an unknown source or scenario, with a suggestion.
Result<std::unique_ptr<Source>> make_gpu_source(const WatchOptions& options, Pace pace);

}  // namespace gputop
