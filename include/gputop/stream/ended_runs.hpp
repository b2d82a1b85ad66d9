// The runs that are over: what their recordings say of them.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop {

struct EndedRun {
  RunStarted run;
  WallTime began;
  Reading<Duration> lasted;  // unknown: nothing can be read of its end
  std::string how;           // "exited with code 1"; "" when the recording does not say
  std::string recording;     // the file
};

// Newest first, at most so many. Reads the first and the last frame of each recording.
std::vector<EndedRun> ended_runs(std::size_t most);

}  // namespace gputop
