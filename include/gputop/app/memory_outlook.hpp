// When a GPU's memory will be full, from how it grew lately. Pure.
#pragma once

#include "gputop/app/model.hpp"

namespace gputop {

// Memory that grows all the time and fills the GPU within minutes: when. Nothing while it stands still, settles (a cache
// that fills) or would last. A GPU that is nearly full is judged by its last 12 seconds, others by half a minute.
Reading<Duration> memory_full_in(const GpuTrack& track, Instant now);

}  // namespace gputop
