// Frames compared row by row: see diff_writer.hpp.
#include "gputop/term/diff_writer.hpp"

#include <algorithm>

#include "term/painter.hpp"
#include "term/row_writer.hpp"

namespace gputop::term {
namespace {

// A frame that fits one network packet arrives whole; a longer one is bracketed so that it is shown at once (DEC 2026).
constexpr std::size_t kOnePacket = 1024;

void write_cells(std::string& out, const Frame* from, const Frame& to, Painter& painter) {
  RowWriter writer{painter};
  std::vector<Cell> before;
  std::vector<Cell> after;
  for (int y = 0; y < to.cells.dimy(); ++y) {
    Columns part{0, to.cells.dimx()};
    if (from == nullptr) {
      before.assign(static_cast<std::size_t>(part.end), blank_cell());
    } else {
      const auto within = changed_between(from->rows, to.rows, y).value_or(part);
      if (within.empty()) continue;
      part = differing_columns(from->cells, to.cells, y, within);
      if (part.empty()) continue;
      read_row(from->cells, y, part, before);
    }
    read_row(to.cells, y, part, after);
    writer.write(before, after, {part.begin, y}, part.end == to.cells.dimx());
  }
  if (!out.empty()) painter.reset_pen();
}

}  // namespace

Frame rendered_frame(ftxui::Screen screen) {
  const auto cursor = screen.cursor();
  std::optional<CursorPlace> place;
  if (cursor.shape != ftxui::Screen::Cursor::Hidden) place = CursorPlace{cursor.x, cursor.y};
  return {std::move(screen), place, {}};
}

std::string difference(const Frame* from, const Frame& to) {
  const bool resized =
      from != nullptr && (from->cells.dimx() != to.cells.dimx() || from->cells.dimy() != to.cells.dimy());
  const Frame* known = resized ? nullptr : from;
  if (to.cells.dimx() <= 0 || to.cells.dimy() <= 0) return {};
  std::string out;
  if (known == nullptr) out = "\x1b[m\x1b[H\x1b[2J";
  Painter painter{out, to.cells.dimx()};
  write_cells(out, known, to, painter);

  const bool was_visible = from != nullptr && from->cursor.has_value();
  const bool stays = was_visible && to.cursor && *from->cursor == *to.cursor;
  if (to.cursor && (!out.empty() || !stays)) {
    const CursorPlace place{std::clamp(to.cursor->x, 0, to.cells.dimx() - 1),
                            std::clamp(to.cursor->y, 0, to.cells.dimy() - 1)};
    Painter{out, to.cells.dimx()}.go_to(place.x, place.y);
  }
  if (from == nullptr || was_visible != to.cursor.has_value()) out += to.cursor ? "\x1b[?25h" : "\x1b[?25l";
  if (out.size() > kOnePacket) return "\x1b[?2026h" + out + "\x1b[?2026l";
  return out;
}

}  // namespace gputop::term
