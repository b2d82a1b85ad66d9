// Where a step's time goes, as a bar and in words.
#pragma once

#include <string>

#include "gputop/advisor/diagnosis.hpp"
#include "ui/canvas.hpp"

namespace gputop::ui {

Role role_of(StepPart part);
// `width` columns at (x, y); every part that is known to be there has at least one.
void step_bar(Painter& painter, int x, int y, int width, const Diagnosis& diagnosis);
// "input wait 41 %  GPU compute 55 %": the largest parts first, as many as fit.
void step_words(Painter& painter, int x, int y, int width, const Diagnosis& diagnosis);

}  // namespace gputop::ui
