// One reader for each kind of log other than CSV; readers.def lists them.
#pragma once

#include <string_view>

#include "gputop/sources/smi_log.hpp"

namespace gputop::gpu_log {

// is_NAME: whether the text contains such a reading anywhere. read_NAME: all of them; the error says what is missing.
#define READER(name, ...)                \
  bool is_##name(std::string_view text); \
  Result<SmiLog> read_##name(std::string_view text, std::string_view file);
#include "sources/gpu_log/readers.def"
#undef READER

}  // namespace gputop::gpu_log
