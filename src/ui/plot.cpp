#include "ui/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gputop::ui {
namespace {

// Dots of a braille cell from below: left column, right column.
constexpr std::array<unsigned, 4> kLeft{0x40, 0x04, 0x02, 0x01};
constexpr std::array<unsigned, 4> kRight{0x80, 0x20, 0x10, 0x08};

// U+2800 + dots, as the bytes of its UTF-8.
constexpr Glyph braille(unsigned dots) {
  return 0xE2U | (0xA0U + (dots >> 6U)) << 8U | (0x80U + (dots & 0x3FU)) << 16U;
}
static_assert(braille(0xFF) == glyph("⣿") && braille(0x40) == glyph("⡀"));

// In steps of a `parts`-th of a row; at least one where something was read.
int height_of(const std::optional<ChartColumn>& column, double top, int rows, int parts) {
  if (!column || !(top > 0)) return 0;
  const double share = std::clamp(static_cast<double>(column->mean) / top, 0.0, 1.0);
  return std::max(1, static_cast<int>(std::lround(share * rows * parts)));
}

void plot_braille(Painter& painter, const std::vector<std::optional<ChartColumn>>& columns, double top, Role role) {
  const int rows = painter.height();
  for (int x = 0; x < painter.width(); ++x) {
    const auto at = static_cast<std::size_t>(x) * 2;
    if (at + 1 >= columns.size()) break;
    const int left = height_of(columns[at], top, rows, 4);
    const int right = height_of(columns[at + 1], top, rows, 4);
    for (int row = 0; row * 4 < std::max(left, right); ++row) {
      unsigned dots = 0;
      for (int i = 0; i < 4; ++i) {
        if (row * 4 + i < left) dots |= kLeft[static_cast<std::size_t>(i)];
        if (row * 4 + i < right) dots |= kRight[static_cast<std::size_t>(i)];
      }
      painter.put(x, rows - 1 - row, braille(dots), role);
    }
  }
}

void plot_blocks(Painter& painter, const std::vector<std::optional<ChartColumn>>& columns, double top, Role role) {
  const int rows = painter.height();
  for (int x = 0; x < painter.width(); ++x) {
    const auto at = static_cast<std::size_t>(x) * 2;
    if (at + 1 >= columns.size()) break;
    const int halves = std::max(height_of(columns[at], top, rows, 2), height_of(columns[at + 1], top, rows, 2));
    for (int row = 0; row * 2 < halves; ++row) {
      painter.put(x, rows - 1 - row, row * 2 + 1 < halves ? glyph("█") : glyph("▄"), role);
    }
  }
}

}  // namespace

void plot(Painter& painter,
          const std::vector<std::optional<ChartColumn>>& columns,
          double top,
          Role role,
          GlyphSet glyphs) {
  if (glyphs == GlyphSet::kBraille) {
    plot_braille(painter, columns, top, role);
  } else {
    plot_blocks(painter, columns, top, role);
  }
}

}  // namespace gputop::ui
