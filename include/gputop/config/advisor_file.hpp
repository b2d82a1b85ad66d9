// advisor.yaml: thresholds, rules that are off, rules of the user's own. Every mistake is named with its line, and the
// default kept.
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

// Lays what the text says over `base`. The keys stand at the top, or below "advisor:" in a file that holds other
// things, too; a file with neither changes nothing. Pure; `file` is only for the problems.
LoadedAdvisor parse_advisor(std::string_view text, std::string_view file, AdvisorSettings base);

// The binary's own configs/advisor.yaml, then the user's advisor.yaml beside the settings, then the file given by
// --config ("" is none). Files that are not there are no problem, but for the last.
LoadedAdvisor load_advisor(const Environment& environment, const std::filesystem::path& given);

}  // namespace gputop
