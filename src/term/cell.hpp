// A row of an ftxui::Screen as the terminal will show it: one glyph, its width and its pen per column.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <ftxui/screen/screen.hpp>

#include "gputop/term/row_changes.hpp"
#include "term/pen.hpp"

namespace gputop::term {

struct Cell {
  std::string_view glyph = " ";  // never empty on a screen; empty means "whatever is there", equal to nothing
  std::uint8_t width = 1;        // 2: this column and the next; 0: the right half of the glyph before
  bool sure = true;              // terminals agree on its width, so the cursor can be trusted behind it
  Pen pen;
  std::uint64_t key = 0;  // differs only where the cells do

  [[nodiscard]] bool blank() const { return glyph == " "; }
  bool operator==(const Cell& other) const {
    return key == other.key && width == other.width && glyph == other.glyph && !glyph.empty() && pen == other.pen;
  }
};

Cell blank_cell();  // a space with the default pen

// The cells borrow the screen's text. What cannot be shown safely (control characters, glyphs of no width, a wide glyph
// cut by its neighbour or the edge) is a blank; what ink does not show of a blank's pen is left at the default.
// The stretch must not begin or end within a wide glyph.
void read_row(const ftxui::Screen& screen, int y, Columns part, std::vector<Cell>& cells);

// The part of `within` outside of which it certainly looks the same on both screens, closed over wide glyphs; empty
// when they are alike. Both are of the same size.
Columns differing_columns(const ftxui::Screen& a, const ftxui::Screen& b, int y, Columns within);

// Whether the row is blank from this column on, of whatever pen: erasing may be the shortest way to have it so.
bool ends_in_blanks(const ftxui::Screen& screen, int y, int column);

}  // namespace gputop::term
