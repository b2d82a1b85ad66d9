// A recording as a source that reports its end.
#pragma once

#include <memory>

#include "gputop/core/source.hpp"
#include "gputop/store/replay_source.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

// Its last event is StreamEnded. `speed` as in ReplaySource. At full speed it reads in batches, between which the loop
// does everything else.
std::unique_ptr<Source> make_finite_replay(Loop& loop, RecordingReader reader, double speed);

}  // namespace gputop
