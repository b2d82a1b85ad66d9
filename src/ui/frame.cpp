#include "ui/frame.hpp"

#include <algorithm>
#include <array>

#include "ui/pane.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

// Which of a cell's four sides a line leaves it by.
constexpr unsigned kNorth = 1;
constexpr unsigned kEast = 2;
constexpr unsigned kSouth = 4;
constexpr unsigned kWest = 8;
constexpr std::array<Glyph, 16> kJoints{kSpace,     glyph("╵"), glyph("╶"), glyph("╰"), glyph("╷"), glyph("│"),
                                        glyph("╭"), glyph("├"), glyph("╴"), glyph("╯"), glyph("─"), glyph("┴"),
                                        glyph("╮"), glyph("┤"), glyph("┬"), glyph("┼")};

unsigned sides_of(Glyph line) {
  if (line == kSpace) return 0;
  for (unsigned sides = 1; sides < kJoints.size(); ++sides) {
    if (kJoints[sides] == line) return sides;
  }
  return 0;
}

void join(Canvas& canvas, int x, int y, unsigned sides, Role role) {
  if (x < 0 || y < 0 || x >= canvas.width() || y >= canvas.height()) return;
  auto& cell = canvas.at(x, y);
  const bool keep = cell.ink.role == Role::kBorderFocused;
  cell.glyph = kJoints[sides_of(cell.glyph) | sides];
  cell.ink = keep ? Role::kBorderFocused : role;
}

void horizontal(Canvas& canvas, int x, int y, int width, Role role, bool meets_left, bool meets_right) {
  for (int i = 0; i < width; ++i) join(canvas, x + i, y, kEast | kWest, role);
  if (meets_left) join(canvas, x - 1, y, kEast, role);
  if (meets_right) join(canvas, x + width, y, kWest, role);
}

void vertical(Canvas& canvas, int x, int y, int height, Role role, bool meets_above, bool meets_below) {
  for (int i = 0; i < height; ++i) join(canvas, x, y + i, kNorth | kSouth, role);
  if (meets_above) join(canvas, x, y - 1, kSouth, role);
  if (meets_below) join(canvas, x, y + height, kNorth, role);
}

void outline(Canvas& canvas, Rect box, Role role) {
  const int right = box.x + box.width - 1;
  const int bottom = box.y + box.height - 1;
  horizontal(canvas, box.x + 1, box.y, box.width - 2, role, true, true);
  horizontal(canvas, box.x + 1, bottom, box.width - 2, role, true, true);
  vertical(canvas, box.x, box.y + 1, box.height - 2, role, true, true);
  vertical(canvas, right, box.y + 1, box.height - 2, role, true, true);
}

// A pane's own part of the lines.
void around(Canvas& canvas, const Layout& layout, std::size_t i, Role role) {
  const auto& placed = layout.panes[i];
  const auto& body = placed.body;
  const bool framed = layout.framed;
  if (placed.title_y >= 0) {
    horizontal(canvas, placed.title_x, placed.title_y, placed.title_width, role, framed || layout.splits_x[i] >= 0,
               framed);
  }
  if (layout.splits_x[i] >= 0) vertical(canvas, layout.splits_x[i], body.y, body.height, role, true, framed);
}

void paint_frame(Canvas& canvas, const Layout& layout, PaneIndex focus) {
  if (layout.framed) outline(canvas, {0, 0, canvas.width(), canvas.height()}, Role::kBorder);
  for (std::size_t i = 0; i < layout.panes.size(); ++i) around(canvas, layout, i, Role::kBorder);
  for (std::size_t i = 0; i < layout.panes.size(); ++i) {
    const auto& placed = layout.panes[i];
    if (placed.pane != focus) continue;
    // Recolour what surrounds the focused pane; the glyphs are already right.
    const auto& body = placed.body;
    const auto recolour = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= canvas.width() || y >= canvas.height()) return;
      if (sides_of(canvas.at(x, y).glyph) != 0) canvas.at(x, y).ink = Role::kBorderFocused;
    };
    for (int y = body.y - 1; y < body.y + body.height; ++y) {
      recolour(body.x - 1, y);
      recolour(body.x + body.width, y);
    }
    if (placed.title_y >= 0) {
      for (int x = body.x; x < body.x + body.width; ++x) recolour(x, placed.title_y);
    }
  }
}

}  // namespace

const Canvas& Backdrop::canvas(int width, int height, const Layout& layout, PaneIndex focus) {
  if (width == canvas_.width() && height == canvas_.height() && layout == layout_ && focus == focus_) return canvas_;
  canvas_.resize(width, height);
  canvas_.clear();
  layout_ = layout;
  focus_ = focus;
  paint_frame(canvas_, layout, focus);
  return canvas_;
}

void paint_titles(Canvas& canvas, const Layout& layout, const View& view, const std::vector<std::string>& titles) {
  for (std::size_t i = 0; i < layout.panes.size(); ++i) {
    const auto& placed = layout.panes[i];
    if (placed.title_y < 0) continue;
    Painter line{canvas, {placed.title_x, placed.title_y, placed.title_width, 1}};
    const auto& entry = kPanes[placed.pane];
    const auto role = placed.pane == view.focus ? Role::kBorderFocused : Role::kTitle;
    int x = line.text(1, 0, " ", role, line.width() - 2) + 1;
    if (entry.number > 0) x += line.text(x, 0, std::to_string(entry.number) + " ", Role::kKey, line.width() - x - 2);
    x += line.text(x, 0, titles[i], role, line.width() - x - 2);
    line.text(x, 0, " ", role);
  }
}

Painter paint_box(Canvas& canvas, Rect box, std::string_view title) {
  Painter whole{canvas, box};
  for (int y = 0; y < whole.height(); ++y) whole.fill(0, y, whole.width(), kSpace, Role::kText);
  const auto area = whole.area();
  if (area.width < 6 || area.height < 4) return whole;
  outline(canvas, area, Role::kBorderFocused);
  whole.text(2, 0, joined({" ", title, " "}), Role::kTitle, area.width - 4);
  return whole.part(2, 1, area.width - 4, area.height - 2);
}

}  // namespace gputop::ui
