// Reads all recordings of a job to their ends: the findings for report and advise.
#pragma once

#include <string>
#include <vector>

#include "gputop/advisor/settings.hpp"
#include "gputop/core/result.hpp"
#include "gputop/report/job.hpp"

namespace gputop {

Result<JobFindings> read_job_findings(const std::string& job, const std::vector<std::string>& files, const AdvisorSettings& advisor);

}  // namespace gputop
