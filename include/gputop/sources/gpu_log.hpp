// Logs of GPUs that people already have: CSV from nvidia-smi or their own scripts, and everything listed in
// src/sources/gpu_log/readers.def. The text determines the kind.
#pragma once

#include <optional>

#include "gputop/sources/smi_log.hpp"

namespace gputop {

// What to do about a file that is none of them.
inline constexpr std::string_view kLogsThatAreRead =
    "try gputop report on a recording, on what nvidia-smi wrote (its table, -q, -q -x, dmon or --query-gpu=… "
    "--format=csv), gpustat, dcgmi dmon, dcgm-exporter or tegrastats";

// A file's bytes as UTF-8 text. Converts UTF-16 (written by Windows shells), removes colors, and treats runs of zero
// bytes that were never written as line ends; `holes` counts those bytes. nullopt: not text.
std::optional<std::string> plain_text(std::string bytes, std::size_t* holes = nullptr);

// Like parse_smi_log, for all kinds. If none can be read, the error says what the file is instead.
Result<SmiLog> parse_gpu_log(std::string_view text,
                             std::string_view file,
                             const std::vector<std::string>& columns = {});

// The same for a file's bytes.
Result<SmiLog> read_gpu_log(std::string bytes, std::string_view file, const std::vector<std::string>& columns = {});

}  // namespace gputop
