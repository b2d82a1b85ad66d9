// Finished runs, as described by their recordings.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop {

struct EndedRun {
  RunStarted run;
  WallTime began;
  Reading<Duration> lasted;  // unknown: its end cannot be read
  std::string how;           // "exited with code 1"; "" if the recording does not say
  std::string recording;     // the file
};

// Newest first, limited in number. Reads the first and the last frame of each recording.
std::vector<EndedRun> ended_runs(std::size_t most);

}  // namespace gputop
