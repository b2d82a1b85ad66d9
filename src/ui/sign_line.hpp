// The good and the bad signs of a run, on one line.
#pragma once

#include <vector>

#include "gputop/advisor/signs.hpp"
#include "ui/canvas.hpp"

namespace gputop::ui {

Role sign_role(Sign::Kind kind);
// "✓ 96 % utilised  ✗ 24 % slower than at the start": the bad ones first, as many as fit. False: there is nothing to
// say.
bool sign_line(Painter& painter, int x, int y, int width, const std::vector<Sign>& signs);

}  // namespace gputop::ui
