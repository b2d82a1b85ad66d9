// When a GPU's memory will be full, judging by its recent growth. Pure.
#pragma once

#include "gputop/app/model.hpp"

namespace gputop {

// When memory that grows all the time will fill the GPU, if within minutes. nullopt while it stands still, settles (a
// cache that fills) or would last. A GPU that is nearly full is judged by its last 12 seconds, others by half a minute.
Reading<Duration> memory_full_in(const GpuTrack& track, Instant now);

}  // namespace gputop
