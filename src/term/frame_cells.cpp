// Cells cleared and compared: see frame_cells.hpp.
#include "gputop/term/frame_cells.hpp"

#include <algorithm>

#include "term/same_pixel.hpp"

namespace gputop::term {

bool same_pixel(const ftxui::Pixel& a, const ftxui::Pixel& b) {
  return same_text(a.character, b.character) && same_style(a, b);
}

void clear(ftxui::Screen& screen, const Look& ground) {
  ftxui::Pixel blank;
  blank.character = " ";
  ground.apply(blank);
  for (int y = 0; y < screen.dimy(); ++y) {
    auto* const row = &screen.PixelAt(0, y);
    for (int x = 0; x < screen.dimx(); ++x) {
      auto& pixel = row[x];
      if (pixel.automerge || pixel.hyperlink != 0 || !same_pixel(pixel, blank)) pixel = blank;  // most are blank already
    }
  }
}

void find_changes(const ftxui::Screen& now, const ftxui::Screen& before, std::vector<ColumnSet>& rows) {
  const int step = columns_per_bit(now.dimx());
  rows.assign(static_cast<std::size_t>(now.dimy()), 0);
  for (int y = 0; y < now.dimy(); ++y) {
    const auto* const one = &now.PixelAt(0, y);
    const auto* const other = &before.PixelAt(0, y);
    auto& changed = rows[static_cast<std::size_t>(y)];
    int end = 0;
    for (int begin = 0, bit = 0; begin < now.dimx(); begin = end, ++bit) {
      end = std::min(now.dimx(), begin + step);
      if (!std::equal(one + begin, one + end, other + begin, same_pixel)) changed |= ColumnSet{1} << bit;
    }
  }
}

}  // namespace gputop::term
