// A recording, a run that goes on, or a log of GPUs, read to its end: what advise, report and compare are about.
// `columns`: of a log without a header.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputop/advisor/settings.hpp"
#include "gputop/core/result.hpp"
#include "gputop/report/findings_builder.hpp"

namespace gputop {

// Every GPU reading of the file in order, and what tells their time. What is wrong with the file is complained about.
Status read_readings(const std::string& input,
                     const std::vector<std::string>& columns,
                     const std::function<bool(const Event&)>& take);

// In bounded memory, however long the recording is.
Result<Findings> read_findings(const std::string& input,
                               const std::vector<std::string>& columns,
                               const AdvisorSettings& advisor);

}  // namespace gputop
