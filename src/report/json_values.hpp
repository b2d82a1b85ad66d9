// Values of reports as JSON: unknown is null, figures rounded as in the text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gputop/core/confidence.hpp"
#include "gputop/report/findings.hpp"

namespace gputop::report {

using Json = nlohmann::ordered_json;

Json text_json(const std::string& text);  // "" is null
Json estimated_json(const Reading<Estimated>& value);
Json percent_json(const Estimated& value);  // of a share
std::string dumped(const Json& json);
Json progress_json(const Facts& facts);  // the run's progress as it reported it; null without a run
Json efficiency_json(const Facts& facts);  // MFU, energy, cost; null without a run
Json job_json(const Reading<JobJoined>& job);  // null: the run belongs to no job
Json metrics_json(const std::vector<MetricTrack>& metrics);

}  // namespace gputop::report
