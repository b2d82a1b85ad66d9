// Compares frames row by row: see diff_writer.hpp.
#include "gputop/term/diff_writer.hpp"

#include <algorithm>

#include "term/painter.hpp"
#include "term/row_writer.hpp"

namespace gputop::term {
namespace {

// A frame that fits into one network packet arrives whole; a longer one is bracketed so it is shown at once (DEC 2026).
constexpr std::size_t kOnePacket = 1024;

class CellsWriter {
 public:
  CellsWriter(const Frame* from, const Frame& to, Painter& painter) : from_(from), to_(to), writer_(painter) {}

  void write_row(int y) {
    const int width = to_.cells.dimx();
    if (from_ == nullptr) {
      before_.assign(static_cast<std::size_t>(width), blank_cell());
      return write(y, {0, width});
    }
    each_stretch(changed_between(from_->rows, to_.rows, y), width, [&](Columns within, bool last) {
      auto part = differing_columns(from_->cells, to_.cells, y, within);
      if (part.empty()) return;
      if (last && ends_in_blanks(to_.cells, y, part.end - 1)) part.end = width;
      read_row(from_->cells, y, part, before_);
      write(y, part);
    });
  }

 private:
  void write(int y, Columns part) {
    read_row(to_.cells, y, part, after_);
    writer_.write(before_, after_, {part.begin, y}, part.end == to_.cells.dimx());
  }

  const Frame* from_;  // null: a blank screen
  const Frame& to_;
  RowWriter writer_;
  std::vector<Cell> before_;
  std::vector<Cell> after_;
};

}  // namespace

std::string difference(const Frame* from, const Frame& to) {
  const bool resized =
      from != nullptr && (from->cells.dimx() != to.cells.dimx() || from->cells.dimy() != to.cells.dimy());
  const Frame* known = resized ? nullptr : from;
  if (to.cells.dimx() <= 0 || to.cells.dimy() <= 0) return {};
  std::string out;
  if (known == nullptr) out = "\x1b[m\x1b[H\x1b[2J";
  Painter painter{out, to.cells.dimx()};
  CellsWriter writer{known, to, painter};
  for (int y = 0; y < to.cells.dimy(); ++y) writer.write_row(y);
  if (!out.empty()) painter.reset_pen();

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
