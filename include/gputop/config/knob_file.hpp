// configs/knobs.yaml from the binary, and the user's knobs.yaml on top of it.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "gputop/config/environment.hpp"
#include "gputop/config/problem.hpp"
#include "gputop/knobs/table.hpp"

namespace gputop {

struct LoadedKnobs {
  knobs::KnobTable table;
  std::vector<Problem> problems;
};

// `base` with the text applied: names are added, single values replaced. Pure; `file` only names the file in problems.
LoadedKnobs parse_knobs(std::string_view text, std::string_view file, knobs::KnobTable base = {});

// The table in the binary, then config_directory() / knobs.yaml if it exists.
LoadedKnobs load_knobs(const Environment& environment);

}  // namespace gputop
