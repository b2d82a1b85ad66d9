// All recordings of a job read to their ends: what report and advise say of it.
#pragma once

#include <string>
#include <vector>

#include "gputop/advisor/settings.hpp"
#include "gputop/core/result.hpp"
#include "gputop/report/job.hpp"

namespace gputop {

Result<JobFindings> read_job_findings(const std::string& job, const std::vector<std::string>& files, const AdvisorSettings& advisor);

}  // namespace gputop
