// What report and compare read: a recording, a run that goes on, or a log of GPUs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gputop/advisor/settings.hpp"
#include "gputop/report/findings_builder.hpp"

namespace gputop::cli {

// Every GPU reading of the file in order, and what tells their time. What is wrong with the file is complained about.
Status read_readings(const std::string& input,
                     const ReportOptions& options,
                     const std::function<bool(const Event&)>& take);

// In bounded memory, however long the recording is.
Result<Findings> read_findings(const std::string& input, const ReportOptions& options, const AdvisorSettings& advisor);

}  // namespace gputop::cli
