// Which panes are on the screen and how the rows are shared out, for every size from 1×1 up. Pure; FTXUI's boxes do the
// placing.
#pragma once

#include <optional>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"

namespace gputop::ui {

struct PlacedPane {
  PaneIndex pane = 0;
  int width = 0;
  bool operator==(const PlacedPane&) const = default;
};

// Panes side by side.
struct Band {
  std::vector<PlacedPane> panes;
  int title = 0;   // rows: 0 or 1
  int height = 0;  // without it
  bool operator==(const Band&) const = default;
};

struct Layout {
  bool framed = false;  // borders around it all
  bool footer = false;  // not on very low screens
  std::vector<Band> bands;

  // The inside of a pane; nullopt: it is not on the screen.
  struct Size {
    int width = 0;
    int height = 0;
  };
  [[nodiscard]] std::optional<Size> size_of(PaneIndex pane) const;
  [[nodiscard]] std::vector<PaneIndex> panes() const;
};

Layout make_layout(const Model& model, const View& view, int width, int height);

}  // namespace gputop::ui
