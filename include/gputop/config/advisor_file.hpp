// advisor.yaml: thresholds, rules that are switched off, the user's own rules. Every mistake is reported with its line
// and leaves the default.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "gputop/advisor/settings.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/problem.hpp"

namespace gputop {

struct LoadedAdvisor {
  AdvisorSettings settings;
  std::vector<Problem> problems;
};

// Applies the text to `base`. The keys are at the top level, or below "advisor:" in a file that also holds other
// settings; a file with neither changes nothing. Pure; `file` only names the file in problems.
LoadedAdvisor parse_advisor(std::string_view text, std::string_view file, AdvisorSettings base);

// The binary's own configs/advisor.yaml, then the user's advisor.yaml next to the settings, then the file given by
// --config ("": none). A missing file is no problem, except for the last.
LoadedAdvisor load_advisor(const Environment& environment, const std::filesystem::path& given);

}  // namespace gputop
