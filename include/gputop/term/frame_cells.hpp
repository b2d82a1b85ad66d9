// The cells of two frames: cleared, compared. Ten thousand of them a frame, so neither may cost a call for each.
#pragma once

#include <vector>

#include <ftxui/screen/screen.hpp>

#include "gputop/term/row_changes.hpp"
#include "gputop/term/style_sheet.hpp"

namespace gputop::term {

// Whether two cells look the same. What FTXUI uses to join lines does not show.
bool same_pixel(const ftxui::Pixel& a, const ftxui::Pixel& b);

// Blanks of this look everywhere.
void clear(ftxui::Screen& screen, const Look& ground);

// For each row, where the screens differ; both are of the same size.
void find_changes(const ftxui::Screen& now, const ftxui::Screen& before, std::vector<ColumnSet>& rows);

}  // namespace gputop::term
