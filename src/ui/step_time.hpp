// Where a step's time goes: a labelled bar for each part, or all of them in one row.
#pragma once

#include "ui/look.hpp"

namespace gputop::ui {

Role step_role(StepPart part);
// Anything is known about it.
bool has_steps(const Model& model);
ftxui::Elements step_bars(const Model& model, const Look& look);
ftxui::Element step_strip(const Model& model, const Look& look);

}  // namespace gputop::ui
