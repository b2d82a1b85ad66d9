// gputop fleet: a fleet on the screen, or as text without one.
#pragma once

#include "gputop/core/reading.hpp"
#include "gputop/prometheus/curl.hpp"
#include "gputop/stream/watch_options.hpp"

namespace gputop {

struct FleetOptions {
  prometheus::Access access;
  Reading<double> price;  // per GPU hour
  bool json = false;
};

// The exit code.
int run_fleet(const WatchOptions& watch, const FleetOptions& options);

}  // namespace gputop
