// The logs of GPUs that people already have: CSV of nvidia-smi or of their own, and all that
// src/sources/gpu_log/readers.def lists. Which one it is, is told from its text.
#pragma once

#include <optional>

#include "gputop/sources/smi_log.hpp"

namespace gputop {

// What to do about a file that is none of them.
inline constexpr std::string_view kLogsThatAreRead =
    "try gputop report on a recording, on what nvidia-smi wrote (its table, -q, -q -x, dmon or --query-gpu=… "
    "--format=csv), gpustat, dcgmi dmon, dcgm-exporter or tegrastats";

// A file's bytes as UTF-8 text: what a Windows shell writes is UTF-16, colours are left out, and stretches of zeros
// that were never written are a line's end; `holes` counts those bytes. nullopt: it is no text.
std::optional<std::string> plain_text(std::string bytes, std::size_t* holes = nullptr);

// As parse_smi_log, for all of them. Where none can be read, the error says what the file is instead.
Result<SmiLog> parse_gpu_log(std::string_view text,
                             std::string_view file,
                             const std::vector<std::string>& columns = {});

// The same, of a file's bytes.
Result<SmiLog> read_gpu_log(std::string bytes, std::string_view file, const std::vector<std::string>& columns = {});

}  // namespace gputop
