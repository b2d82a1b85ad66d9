// Readings of GPUs as CSV, one line each: what snapshot, --csv and report --format csv have in common.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/gpu.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

std::string gpu_csv_header();
// An unknown reading is an empty field. `error` is what is wrong with the GPU or its sensors.
std::string gpu_csv_line(WallTime at, const GpuReading& gpu, std::string_view error);

}  // namespace gputop
