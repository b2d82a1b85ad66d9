// What is known about a run, a line each, with its source and its age: "batch_size 32 (lens, 3 s ago)".
#pragma once

#include <string>
#include <vector>

#include "gputop/advisor/facts.hpp"

namespace gputop::ui {

std::vector<std::string> fact_lines(const Facts& facts);

}  // namespace gputop::ui
