// Knobs that only the lens can set, as what it is told at a launch.
#pragma once

#include <map>
#include <string>

#include "gputop/knobs/value.hpp"

namespace gputop::cli {

// The value of GPUTOP_LENS_SET; "" for nothing.
std::string lens_overrides(const std::map<std::string, knobs::Value>& knobs);

}  // namespace gputop::cli
