// Logs of GPUs that people already have: nvidia-smi --format=csv, nvidia-smi dmon, gpustat --json. Which one it is, is
// told from its text.
#pragma once

#include <optional>

#include "gputop/sources/smi_log.hpp"

namespace gputop {

// What to do about a file that is none of them.
inline constexpr std::string_view kLogsThatAreRead =
    "try gputop report on a recording, an nvidia-smi --query-gpu=… --format=csv or dmon log, or gpustat --json";

// A file's bytes as UTF-8 text: what a Windows shell writes is UTF-16. nullopt: it is no text.
std::optional<std::string> plain_text(std::string bytes);

// As parse_smi_log, for all three.
Result<SmiLog> parse_gpu_log(std::string_view text,
                             std::string_view file,
                             const std::vector<std::string>& columns = {});

// Lines of `nvidia-smi dmon`, with any -s, -o and --format.
Result<SmiLog> parse_dmon_log(std::string_view text, std::string_view file);
// "# gpu   pwr gtemp …"
bool is_dmon_header(std::string_view line);
// Objects of `gpustat --json`, one after the other, on one line each or on many.
Result<SmiLog> parse_gpustat_log(std::string_view text, std::string_view file);

}  // namespace gputop
