// A pseudo-terminal for a job.
#pragma once

#include "gputop/core/result.hpp"
#include "run/fds.hpp"

namespace gputop::run {

struct Pty {
  Descriptor master;  // non-blocking
  Descriptor slave;
};

// Copies line settings (erase character, …) from the terminal `like`, if it is one in its normal mode. ^S never stops
// the job: IXON is off.
Result<Pty> open_pty(unsigned rows, unsigned columns, int like);

}  // namespace gputop::run
