// What else could be done with the capacity a run leaves on its GPU. Nothing has to change: these are choices, each
// with its cost.
#pragma once

#include <string>
#include <vector>

#include "gputop/advisor/step_model.hpp"

namespace gputop {

struct Option {
  std::string id;    // "parallel_runs", "larger_model", "room_left"
  std::string text;  // "3 runs at once fit on this GPU (…): a search of 70 h would take 24–39 h"
  bool operator==(const Option&) const = default;
};

std::vector<Option> options(const Facts& facts,
                            const Diagnosis& diagnosis,
                            const StepModel& model,
                            const Thresholds& limits);

}  // namespace gputop
