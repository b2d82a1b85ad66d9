// The picture of a chart: columns of values as filled dots, blocks or letters.
#pragma once

#include <optional>
#include <vector>

#include "gputop/ui/glyphs.hpp"
#include "ui/canvas.hpp"
#include "ui/chart_data.hpp"

namespace gputop::ui {

// Fills the painter: ChartData::kColumnsPerCell columns a cell, 0 at the lower edge, `top` at the upper. What is
// unknown stays empty; a known zero shows as a ground line.
void plot(Painter& painter,
          const std::vector<std::optional<ChartColumn>>& columns,
          double top,
          Role role,
          GlyphSet glyphs);

}  // namespace gputop::ui
