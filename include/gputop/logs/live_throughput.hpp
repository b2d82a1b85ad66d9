// The throughput of a moment, as far as it is one: not while it validates, and not long after the last step.
#pragma once

#include "gputop/core/time.hpp"
#include "gputop/logs/throughput.hpp"

namespace gputop {

Reading<Throughput> live_throughput(const RunProgress& progress, Instant at);

}  // namespace gputop
