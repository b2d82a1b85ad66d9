// Knobs that the lens can set, at launch or in the running process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gputop/knobs/value.hpp"
#include "gputop/lens/command.hpp"
#include "gputop/tuning/change_question.hpp"

namespace gputop {

using LensKnobs = std::map<std::string, knobs::Value>;
inline constexpr const char* kLearningRateScale = "lr_scale";  // a factor, instead of the knob's own value

// The value of GPUTOP_LENS_SET; "" for none.
std::string lens_overrides(const LensKnobs& knobs);

// Whether a running process can take all of them, and when they take effect.
LiveWay live_way(const LensKnobs& knobs);
std::vector<LensCommand> live_commands(const LensKnobs& knobs);

}  // namespace gputop
