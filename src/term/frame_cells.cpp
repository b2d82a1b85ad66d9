// Cells cleared and compared: see frame_cells.hpp.
#include "gputop/term/frame_cells.hpp"

#include <algorithm>

#include "term/same_pixel.hpp"

namespace gputop::term {
namespace {

inline bool same(const ftxui::Pixel& a, const ftxui::Pixel& b, std::uint16_t bits) {
  return same_text(a.character, b.character) && same_style(a, b, bits);
}

void make_blank(ftxui::Pixel& pixel, const ftxui::Pixel& blank) {
  pixel.blink = pixel.italic = pixel.underlined_double = pixel.strikethrough = pixel.automerge = false;
  pixel.bold = blank.bold;
  pixel.dim = blank.dim;
  pixel.inverted = blank.inverted;
  pixel.underlined = blank.underlined;
  pixel.hyperlink = 0;
  pixel.character.resize(1);
  pixel.character[0] = ' ';
  pixel.background_color = blank.background_color;
  pixel.foreground_color = blank.foreground_color;
}

}  // namespace

std::uint16_t style_bits() {
  static const std::uint16_t kBits = [] {
    ftxui::Pixel pixel;
    const auto before = front_of(pixel);
    pixel.blink = pixel.bold = pixel.dim = pixel.italic = pixel.inverted = true;
    pixel.underlined = pixel.underlined_double = pixel.strikethrough = true;
    return static_cast<std::uint16_t>(front_of(pixel) ^ before);
  }();
  return kBits;
}

bool same_pixel(const ftxui::Pixel& a, const ftxui::Pixel& b) {
  return same(a, b, style_bits());
}

void clear(ftxui::Screen& screen, const Look& ground) {
  ftxui::Pixel blank;
  blank.character = " ";
  ground.apply(blank);
  const auto bits = style_bits();
  for (int y = 0; y < screen.dimy(); ++y) {
    auto* const row = &screen.PixelAt(0, y);
    for (int x = 0; x < screen.dimx(); ++x) {
      auto& pixel = row[x];
      if (pixel.automerge || pixel.hyperlink != 0 || !same(pixel, blank, bits)) make_blank(pixel, blank);  // most are already
    }
  }
}

void find_changes(const ftxui::Screen& now, const ftxui::Screen& before, std::vector<ColumnSet>& rows) {
  const int step = columns_per_bit(now.dimx());
  const auto bits = style_bits();
  rows.assign(static_cast<std::size_t>(now.dimy()), 0);
  for (int y = 0; y < now.dimy(); ++y) {
    const auto* const one = &now.PixelAt(0, y);
    const auto* const other = &before.PixelAt(0, y);
    auto& changed = rows[static_cast<std::size_t>(y)];
    int end = 0;
    for (int begin = 0, bit = 0; begin < now.dimx(); begin = end, ++bit) {
      end = std::min(now.dimx(), begin + step);
      int x = begin;
      while (x < end && same(one[x], other[x], bits)) ++x;
      if (x < end) changed |= ColumnSet{1} << bit;
    }
  }
}

}  // namespace gputop::term
