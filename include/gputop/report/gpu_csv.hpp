// Readings of GPUs as CSV, one line each: what snapshot, --csv and report --format csv have in common.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/gpu.hpp"

namespace gputop {

std::string gpu_csv_header();
// An unknown reading is an empty field. `time` is as format_wall() writes it, `error` what is wrong with the GPU or its
// sensors.
void append_gpu_csv_line(std::string& out, std::string_view time, const GpuReading& gpu, std::string_view error);

}  // namespace gputop
