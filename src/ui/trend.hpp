// The last two minutes of a series: as values, and as a sparkline.
#pragma once

#include <vector>

#include "gputop/core/tiered_series.hpp"
#include "ui/look.hpp"

namespace gputop::ui {

// Two a cell, oldest first. What a value covers stays the same while time goes on: only whole values move to the left.
std::vector<Reading<float>> last_minutes(const TieredSeries& series, Instant now, int cells);

// `top`: what fills a cell; 0: the highest there is.
ftxui::Element trend(const Look& look, const TieredSeries& series, Instant now, int cells, Role role, float top = 0);

}  // namespace gputop::ui
