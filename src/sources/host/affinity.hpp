// On how many CPUs this process may run.
#pragma once

#include "gputop/core/reading.hpp"

namespace gputop::host {

Reading<unsigned> cpus_in_affinity();

}  // namespace gputop::host
