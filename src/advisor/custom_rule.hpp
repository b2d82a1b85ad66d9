// A user's own rule: one metric against one limit.
#pragma once

#include <optional>

#include "advisor/situation.hpp"
#include "gputop/advisor/settings.hpp"

namespace gputop {

std::optional<Finding> apply(const CustomRule& rule, const Situation& situation);

}  // namespace gputop
