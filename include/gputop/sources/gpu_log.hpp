// Logs of GPUs that people already have: nvidia-smi --format=csv, nvidia-smi dmon, gpustat --json. Which one it is, is told from its text.
#pragma once

#include "gputop/sources/smi_log.hpp"

namespace gputop {

// As parse_smi_log, for all three.
Result<SmiLog> parse_gpu_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns = {});

// Lines of `nvidia-smi dmon`, with any -s, -o and --format.
Result<SmiLog> parse_dmon_log(std::string_view text, std::string_view file);
// "# gpu   pwr gtemp …"
bool is_dmon_header(std::string_view line);
// Objects of `gpustat --json`, one after the other, on one line each or on many.
Result<SmiLog> parse_gpustat_log(std::string_view text, std::string_view file);

}  // namespace gputop
