// The new command line of a set of changes to it.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"

namespace gputop::knobs {

struct ArgumentEdit {
  Place place;
  Value to;
};
Result<std::vector<std::string>> edit_arguments(std::vector<std::string> argv, std::vector<ArgumentEdit> edits);

}  // namespace gputop::knobs
