// A log of `nvidia-smi --query-gpu=… --format=csv[,noheader][,nounits]` as events: any columns in any order, several
// GPUs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/plausibility.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

struct SmiLog {
  std::vector<Event> events;             // the stream's start, its source, one GpusSampled per round, the end
  std::vector<std::string> notes;        // what was skipped or assumed, for people
  std::vector<FoundSensorError> errors;  // cells in which the driver says that it could not read: "[Unknown Error]"
};

// Pure. `file` is for messages. `columns` are the names behind --query-gpu= for a log without a header; empty: they are
// told from the header, else from the values where that is possible. Errors say what is missing and what to do.
Result<SmiLog> parse_smi_log(std::string_view text,
                             std::string_view file,
                             const std::vector<std::string>& columns = {});

}  // namespace gputop
