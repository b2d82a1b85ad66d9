// What a pane is: a function that paints a part of the Model, and its place in panes.def.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/app/action.hpp"
#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"
#include "gputop/config/settings.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/ui/glyphs.hpp"
#include "gputop/ui/identity.hpp"
#include "gputop/ui/past_output.hpp"
#include "ui/canvas.hpp"
#include "ui/chart_data.hpp"

namespace gputop::ui {

enum class Slot : std::uint8_t {
  kHeader,
  kTop,
  kMiddleLeft,
  kMiddleRight,
  kRunLeft,
  kRunRight,
  kBottomLeft,
  kBottomRight,
  kOverlay,
};

// What lies under the mouse. Later ones lie over earlier ones.
struct Hit {
  enum class Kind : std::uint8_t { kPane, kRow, kColumn, kKey, kPlot, kMenuRow };
  Rect area;
  Kind kind = Kind::kPane;
  PaneIndex pane = 0;
  int argument = 0;  // row, column, action
};

// The setup screen's choices that are not in Settings.
struct Choices {
  std::vector<std::string> themes;
  std::vector<std::string> problems;  // what the configuration got wrong
};

struct PaneContext {
  const Model& model;
  const Settings& settings;
  const Identity& identity;
  const Choices& choices;
  GlyphSet glyphs;
  View& view;  // panes settle their scrolling once they know their height
  ChartData& charts;
  std::vector<ProcessLine>& process_lines;  // as the processes pane showed them
  std::vector<Hit>& hits;
  bool paused = false;
  const term::Emulator* output = nullptr;  // of the run; null where there is none
  const PastOutput* past = nullptr;        // `output` is this stretch of its recording
  term::ColorDepth depth = term::ColorDepth::kMono;

  // It can be typed into, interrupted, stopped.
  [[nodiscard]] bool run_is_live() const { return output != nullptr && model.run && !model.run->end; }

  PaneIndex pane = 0;      // the one being painted
  bool focused = false;    // it has the keys
  bool framed = false;     // header: the top line is a border
  std::string title = {};  // in: from panes.def; out: what it wants to be called now

  void hit(Painter& painter, Rect local, Hit::Kind kind, int argument) const {
    const auto area = painter.part(local.x, local.y, local.width, local.height).area();
    if (!area.empty()) hits.push_back({area, kind, pane, argument});
  }
};

using PaintPane = void (*)(PaneContext&, Painter);

namespace panes {
#define PANE(name, title, slot, number) void name(PaneContext& context, Painter painter);
#include "ui/panes.def"
#undef PANE
}  // namespace panes

struct PaneEntry {
  std::string_view name;
  std::string_view title;
  Slot slot;
  int number;
  PaintPane paint;
};

inline constexpr std::array kPanes{
#define PANE(name, title, slot, number) PaneEntry{#name, title, Slot::slot, number, &panes::name},
#include "ui/panes.def"
#undef PANE
};
static_assert(kPanes.size() <= kMostPanes);

// Where in kPanes; the name must be in panes.def.
constexpr PaneIndex pane_index(std::string_view name) {
  PaneIndex i = 0;
  while (kPanes[i].name != name) ++i;
  return i;
}

}  // namespace gputop::ui
