// The lines around the panes and the names on them.
#pragma once

#include <string>
#include <vector>

#include "ui/canvas.hpp"
#include "ui/layout.hpp"

namespace gputop::ui {

// An empty canvas with the lines on it. They move only with the layout and the focus, and are kept until then.
// Lines that meet become corners and crossings; the focused pane's are drawn in their own role.
class Backdrop {
 public:
  const Canvas& canvas(int width, int height, const Layout& layout, PaneIndex focus);

 private:
  Canvas canvas_;
  Layout layout_;
  PaneIndex focus_ = 0;
};
// By entry of layout.panes.
void paint_titles(Canvas& canvas, const Layout& layout, const View& view, const std::vector<std::string>& titles);
// A box over everything, its inside emptied. Returns the inside.
Painter paint_box(Canvas& canvas, Rect box, std::string_view title);

}  // namespace gputop::ui
