// Knobs that the lens can set: as what it is told at a launch, or while the run goes on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gputop/knobs/value.hpp"
#include "gputop/lens/command.hpp"
#include "gputop/tuning/change_question.hpp"

namespace gputop {

using LensKnobs = std::map<std::string, knobs::Value>;
inline constexpr const char* kLearningRateScale = "lr_scale";  // a factor, in place of the knob's own value

// The value of GPUTOP_LENS_SET; "" for nothing.
std::string lens_overrides(const LensKnobs& knobs);

// Whether a process that runs can be given all of them, and when they hold.
LiveWay live_way(const LensKnobs& knobs);
std::vector<LensCommand> live_commands(const LensKnobs& knobs);

}  // namespace gputop
