// What --auto may do, from its options.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "gputop/core/result.hpp"
#include "gputop/tuning/autopilot.hpp"

namespace gputop::cli {

// nullopt: it is off. Errors: an unknown knob in --allow.
Result<std::optional<AutoLimits>> auto_limits(const AutoOptions& options);

}  // namespace gputop::cli
