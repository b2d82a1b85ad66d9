// The good and the bad signs of a run, on a line or a few.
#pragma once

#include <vector>

#include "gputop/advisor/signs.hpp"
#include "ui/canvas.hpp"

namespace gputop::ui {

Role sign_role(Sign::Kind kind);
// "✓ 96 % utilised  ✗ 24 % slower than at the start": the bad ones first, as many as fit into so many lines. How many
// it took.
int sign_lines(Painter& painter, int x, int y, int width, int most, const std::vector<Sign>& signs);

}  // namespace gputop::ui
