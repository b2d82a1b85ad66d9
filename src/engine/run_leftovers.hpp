// What a run's summary cannot know of, at its end: what is missing from the recording or from the user's stdout, and
// who of the job's processes goes on.
#pragma once

#include <string>

#include "gputop/engine/recorder.hpp"
#include "gputop/run/run_channel.hpp"

namespace gputop {

struct RunRecording {
  std::string path;
  const Recorder* recorder = nullptr;
  std::string why_none;  // there is no recorder; "": none was wanted
};

// Lines, indented as the summary's; "" when all is well.
std::string run_leftovers(const RunRecording& recording, const run::RunChannel& channel);

}  // namespace gputop
