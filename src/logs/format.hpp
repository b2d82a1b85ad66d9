// The formats of formats.def: each a function in formats/NAME.cpp that reads one line, free of prefixes.
#pragma once

#include <optional>
#include <string_view>

#include "gputop/logs/progress.hpp"

namespace gputop::logs::formats {

#define FORMAT(name) std::optional<Progress> name(std::string_view line);
#include "logs/formats.def"
#undef FORMAT

// A tqdm bar: what other formats are built on.
struct TqdmBar {
  std::string_view label;
  std::string_view postfix;
  Progress progress;
};
std::optional<TqdmBar> read_tqdm_bar(std::string_view line);

// A line of "key: value" pairs, whatever they are; used by formats that are recognised by something else. `step_time`:
// its plain "time" is that of a step.
Progress read_pairs(std::string_view line, bool step_time);

}  // namespace gputop::logs::formats
