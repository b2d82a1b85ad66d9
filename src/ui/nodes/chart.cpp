// chart — a value over time: title, picture in braille (or blocks), both axes.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/dots.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

class Chart : public ftxui::Node {
 public:
  Chart(const Styles& styles, ChartPicture picture, GlyphSet glyphs)
      : styles_(styles), picture_(std::move(picture)), glyphs_(glyphs) {}

  void ComputeRequirement() override {
    requirement_.min_x = kChartLabels + 4;
    requirement_.min_y = 4;
    requirement_.flex_grow_x = requirement_.flex_grow_y = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush brush{screen, box_};
    int x = 0;
    for (const auto& span : picture_.title) x += brush.text(x, 0, span.text, styles_[span.role], brush.width() - 2 - x);
    const int rows = brush.height() - 3;  // title, axis, labels
    if (rows < 1) return;
    labels(brush, rows);
    Brush area{screen, {box_.x_min + kChartLabels, box_.x_max, box_.y_min + 1, box_.y_min + rows}};
    const int cells = std::min(area.width(), static_cast<int>(picture_.columns.size()) / 2);
    for (int cell = 0; cell < cells; ++cell) paint_cell(area, cell, rows);
    if (picture_.cursor && *picture_.cursor >= 0 && *picture_.cursor < cells) {
      for (int y = 1; y <= rows; ++y) {
        auto& pixel = screen.PixelAt(box_.x_min + kChartLabels + *picture_.cursor, box_.y_min + y);
        pixel.inverted = false;
        styles_[Role::kSelection].apply(pixel);
      }
    }
    axis(brush, rows + 1, cells);
  }

 private:
  void labels(Brush& brush, int rows) {
    const auto& muted = styles_[Role::kMuted];
    const auto label = [&](int y, std::string_view text) {
      const int columns = std::min(columns_of(text), kChartLabels - 2);
      brush.text(kChartLabels - 2 - columns, y, text, muted, columns);
    };
    for (int y = 1; y <= rows; ++y) brush.put(kChartLabels - 1, y, "┤", styles_[Role::kBorder]);
    label(1, picture_.top_text);
    if (rows >= 4) label(1 + rows / 2, picture_.middle_text);
    label(rows + 1, "0");
  }

  // In steps of a `parts`-th of a row, from the ground.
  [[nodiscard]] int level(double value, int rows, int parts) const {
    if (!(picture_.top > 0)) return 0;
    return static_cast<int>(std::lround(std::clamp(value / picture_.top, 0.0, 1.0) * rows * parts));
  }

  void paint_cell(Brush& area, int cell, int rows) {
    const auto& left = picture_.columns[static_cast<std::size_t>(cell) * 2];
    const auto& right = picture_.columns[static_cast<std::size_t>(cell) * 2 + 1];
    if (!left && !right) return;
    if (glyphs_ != GlyphSet::kBraille) return paint_blocks(area, cell, rows, left ? *left : *right);
    if (picture_.band) paint_band(area, cell, rows, left ? *left : *right, right ? *right : *left);
    const auto height = [&](const std::optional<ChartColumn>& column) {
      return column ? std::max(1, level(static_cast<double>(column->mean), rows, 4)) : 0;
    };
    const int a = height(left);
    const int b = height(right);
    const auto& look = styles_[picture_.role];
    for (int row = 0; row * 4 < std::max(a, b); ++row) {
      // A line of one dot, or everything below it.
      const int from_a = picture_.band ? a - 1 - row * 4 : 0;
      const int from_b = picture_.band ? b - 1 - row * 4 : 0;
      const auto dots = column_dots(a - row * 4, 0, from_a) | column_dots(b - row * 4, 1, from_b);
      if (dots != 0) area.put(cell, rows - 1 - row, braille(dots, 0).view(), look);
    }
  }

  // From the lowest to the highest; without colors only whole cells. The line is drawn over it.
  void paint_band(Brush& area, int cell, int rows, const ChartColumn& a, const ChartColumn& b) {
    constexpr int kParts = 8;  // of a cell
    static constexpr std::array<const char*, kParts> kUpTo{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇"};
    static const ftxui::Color kNone;
    const int low = level(static_cast<double>(std::min(a.min, b.min)), rows, kParts);
    const int high = level(static_cast<double>(std::max(a.max, b.max)), rows, kParts);
    const auto& shade = styles_[Role::kBarEmpty];
    const term::Look behind{.foreground = kNone, .background = shade.foreground};
    const bool colors = shade.foreground != kNone;
    for (int row = low / kParts; row * kParts < high; ++row) {
      const int from = std::max(low - row * kParts, 0);
      const int to = std::min(high - row * kParts, kParts);
      const bool whole = from <= kParts / 4 && to == kParts;
      if (!colors || whole) {
        if (to - from > kParts / 2) area.put(cell, rows - 1 - row, colors ? " " : "░", colors ? behind : shade);
      } else if (from == 0) {
        area.put(cell, rows - 1 - row, kUpTo[static_cast<std::size_t>(to)], shade);
      } else if (to == kParts && from <= kParts * 3 / 4) {
        area.put(cell, rows - 1 - row, "▀", shade);
      }
    }
  }

  void paint_blocks(Brush& area, int cell, int rows, const ChartColumn& column) {
    const int halves = std::max(1, level(static_cast<double>(column.mean), rows, 2));
    for (int row = 0; row * 2 < halves; ++row) {
      area.put(cell, rows - 1 - row, row * 2 + 1 < halves ? "█" : "▄", styles_[picture_.role]);
    }
  }

  void axis(Brush& brush, int y, int cells) {
    const auto& border = styles_[Role::kBorder];
    const int zero = kChartLabels - 1;
    brush.put(zero, y, "┼", border);
    brush.fill(zero + 1, y, cells, "─", border);
    for (const auto& tick : picture_.ticks) {
      if (tick.cell >= 0 && tick.cell < cells) brush.put(zero + 1 + tick.cell, y, "┬", border);
    }
    for (const auto& mark : picture_.marks) {
      if (mark.cell >= 0 && mark.cell < cells) brush.put(zero + 1 + mark.cell, y, mark.glyph, styles_[mark.role]);
    }
    if (picture_.cursor) {
      const int columns = columns_of(picture_.cursor_text);
      const int x = std::clamp(zero + 1 + *picture_.cursor - columns / 2, 0, std::max(0, brush.width() - columns));
      brush.text(x, y + 1, picture_.cursor_text, styles_[Role::kAccent]);
      return;
    }
    int free = 0;  // labels do not touch
    for (const auto& tick : picture_.ticks) {
      const int columns = columns_of(tick.text);
      const int x = std::clamp(zero + 1 + tick.cell - columns / 2, 0, std::max(0, brush.width() - columns));
      if (x < free || tick.text.empty()) continue;
      brush.text(x, y + 1, tick.text, styles_[Role::kMuted]);
      free = x + columns + 1;
    }
  }

  const Styles& styles_;
  ChartPicture picture_;
  GlyphSet glyphs_;
};

}  // namespace

ftxui::Element chart(const Styles& styles, ChartPicture picture, GlyphSet glyphs) {
  return std::make_shared<Chart>(styles, std::move(picture), glyphs);
}

}  // namespace gputop::ui
