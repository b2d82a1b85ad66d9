// A recording, a live run or a GPU log, read to its end: the input of advise, report and compare. `columns`: for a log
// without a header.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputop/advisor/settings.hpp"
#include "gputop/core/result.hpp"
#include "gputop/report/findings_builder.hpp"

namespace gputop {

// Every GPU reading of the file in order, and the events that set their time. Prints what is wrong with the file.
Status read_readings(const std::string& input,
                     const std::vector<std::string>& columns,
                     const std::function<bool(const Event&)>& take);

// In bounded memory, however long the recording is.
Result<Findings> read_findings(const std::string& input,
                               const std::vector<std::string>& columns,
                               const AdvisorSettings& advisor);

}  // namespace gputop
