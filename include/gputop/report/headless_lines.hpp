// What --headless monitoring prints: one line per GPU and one for the host, fit for a log file.
#pragma once

#include <string>
#include <string_view>

#include "gputop/app/model.hpp"

namespace gputop {

// "GPU 0  RTX 3090  util 61 %  mem 7.4/24.0 GiB …": for the table and the headless lines.
std::string gpu_line(const GpuTrack& track);
std::string host_line(const HostReading& host);
// "run  train.py  412 samples/s  step 412/1001  epoch 3/50  loss 0.41  ETA 00:44:10"
std::string run_line(const RunTrack& run);

// All lines of this moment, each with its time and, if it applies, the word SIMULATED. The reason for a missing GPU is
// left out if it is `said`: a log repeats readings, not reasons.
std::string headless_lines(const Model& model, std::string_view said = {});

}  // namespace gputop
