// Which panes are on the screen and where, for every size from 1×1 up. Pure.
#pragma once

#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"
#include "ui/canvas.hpp"

namespace gputop::ui {

struct PlacedPane {
  PaneIndex pane = 0;
  Rect body;         // where it paints
  int title_y = -1;  // the line above it with its name; -1: none
  int title_x = 0;
  int title_width = 0;
  bool operator==(const PlacedPane&) const = default;
};

struct Layout {
  Rect header;
  Rect footer;                    // empty on very low screens
  bool framed = false;            // borders around it all
  std::vector<PlacedPane> panes;  // in the order of panes.def
  std::vector<int> splits_x;      // by entry of `panes`: the border to its left, or -1
  bool operator==(const Layout&) const = default;
};

Layout make_layout(const Model& model, const View& view, int width, int height);

}  // namespace gputop::ui
