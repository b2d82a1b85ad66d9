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
  RowHistory rows;                    // saves comparing rows that did not change
};

// For a terminal that shows `from`, with its cursor anywhere, the default pen, and auto-wrap on or off. "" if nothing
// changes. If `from` has another size than `to`, or is null (contents unknown), everything is repainted. Leaves the
// default pen.
std::string difference(const Frame* from, const Frame& to);

}  // namespace gputop::term
