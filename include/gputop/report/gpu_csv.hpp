// GPU readings as CSV, one line each: for snapshot, --csv and report --format csv.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/gpu.hpp"

namespace gputop {

std::string gpu_csv_header();
// An unknown reading is an empty field. `time` is in the format of format_wall(); `error` is the problem of the GPU or
// its sensors.
void append_gpu_csv_line(std::string& out, std::string_view time, const GpuReading& gpu, std::string_view error);

}  // namespace gputop
