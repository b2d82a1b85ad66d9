// The bytes that turn one frame on a terminal into another. Pure functions of their arguments.
#pragma once

#include <optional>
#include <string>

#include <ftxui/screen/screen.hpp>

#include "gputop/term/row_changes.hpp"

namespace gputop::term {

struct CursorPlace {
  int x = 0;
  int y = 0;
  bool operator==(const CursorPlace&) const = default;
};

struct Frame {
  ftxui::Screen cells;
  std::optional<CursorPlace> cursor;  // nullopt: hidden
  RowHistory rows;                    // spares the comparison of what nobody touched
};

// The frame of a screen that ftxui::Render has just filled, with its cursor where a focused input wants one.
// (A screen that was never rendered into has an undefined cursor: make the Frame by hand then.)
Frame rendered_frame(ftxui::Screen screen);

// For a terminal that shows `from`, cursor anywhere, pen default, auto-wrap on or off. "" when nothing changes.
// Of another size than `to`, or null (contents unknown): everything is painted anew. Leaves the pen at the default.
std::string difference(const Frame* from, const Frame& to);

}  // namespace gputop::term
