// What --auto may change in a run, from the options of the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/tuning/autopilot.hpp"

namespace gputop {

struct AutoOptions {
  bool on = false;
  unsigned max_changes = 3;
  std::vector<std::string> allow;  // knobs; empty: all
};

// nullopt: it is off. Errors: an unknown knob in `allow`.
Result<std::optional<AutoLimits>> auto_limits(const AutoOptions& options);

}  // namespace gputop
