// The rules' functions, in the order of all_rules().
#pragma once

#include <span>

#include "advisor/situation.hpp"

namespace gputop {

std::span<const Rule> rule_functions();

}  // namespace gputop
