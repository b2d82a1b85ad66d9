// How many CPUs this process may run on.
#pragma once

#include "gputop/core/reading.hpp"

namespace gputop::host {

Reading<unsigned> cpus_in_affinity();

}  // namespace gputop::host
