// What a run's summary does not know at its end: what is missing from the recording or from the user's stdout, and
// which of the job's processes are still running.
#pragma once

#include <string>

#include "gputop/engine/recorder.hpp"
#include "gputop/run/run_channel.hpp"

namespace gputop {

struct RunRecording {
  std::string path;
  const Recorder* recorder = nullptr;
  std::string why_none;  // why there is no recorder; "": none was wanted
};

// Lines with the summary's indentation; "" if there is nothing to report.
std::string run_leftovers(const RunRecording& recording, const run::RunChannel& channel);

}  // namespace gputop
