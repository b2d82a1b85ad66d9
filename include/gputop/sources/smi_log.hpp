// Converts a log of `nvidia-smi --query-gpu=… --format=csv[,noheader][,nounits]` to events: any columns in any order,
// several GPUs.
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
  std::vector<std::string> notes;        // what was skipped or assumed, for the user
  std::vector<FoundSensorError> errors;  // cells in which the driver reports a failed reading: "[Unknown Error]"
};

// Pure. `file` appears in messages only. `columns` are the names after --query-gpu= for a log without a header; if
// empty, they are taken from the header or, where possible, inferred from the values. Errors say what is missing and
// what to do.
Result<SmiLog> parse_smi_log(std::string_view text,
                             std::string_view file,
                             const std::vector<std::string>& columns = {});

}  // namespace gputop
