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
  bool sure = true;              // terminals agree on its width, so the cursor's position after it is reliable
  Pen pen;
  std::uint64_t key = 0;  // differs only if the cells do

  [[nodiscard]] bool blank() const { return glyph == " "; }
  bool operator==(const Cell& other) const {
    return key == other.key && width == other.width && glyph == other.glyph && !glyph.empty() && pen == other.pen;
  }
};

Cell blank_cell();  // a space with the default pen

// The cells borrow the screen's text. What cannot be shown safely (control characters, glyphs without width, a wide
// glyph cut by its neighbor or the edge) becomes a blank; attributes of a blank's pen that do not show are left at the
// default. The stretch must not begin or end within a wide glyph.
void read_row(const ftxui::Screen& screen, int y, Columns part, std::vector<Cell>& cells);

// The part of `within` outside of which both screens certainly look the same, extended to whole wide glyphs; empty if
// they are equal. Both have the same size.
Columns differing_columns(const ftxui::Screen& a, const ftxui::Screen& b, int y, Columns within);

// Whether the row is blank from this column on, in any pen: erasing may be the shortest way to get there.
bool ends_in_blanks(const ftxui::Screen& screen, int y, int column);

}  // namespace gputop::term
