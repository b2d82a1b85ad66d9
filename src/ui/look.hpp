// What a pane needs beside the Model, and what a pane is: a function from both to an FTXUI element, and its line in
// panes.def.
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
#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/glyphs.hpp"
#include "gputop/ui/identity.hpp"
#include "gputop/ui/past_output.hpp"
#include "ui/chart_data.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {

// The setup screen's choices that are not in Settings.
struct Choices {
  std::vector<std::string> themes;
  std::vector<std::string> problems;  // what the configuration got wrong
};

struct Look {
  const Settings& settings;
  const Identity& identity;
  const Choices& choices;
  const term::StyleSheet& styles;
  GlyphSet glyphs;
  View& view;  // panes settle their scrolling once they know their height
  ChartData& charts;
  std::vector<ProcessLine>& process_lines;  // as the processes pane showed them
  std::vector<unsigned>& gpu_order;         // as the GPU table showed them, by index
  std::vector<Hit>& hits;
  bool paused = false;
  const term::Emulator* output = nullptr;  // of the run; null where there is none
  const PastOutput* past = nullptr;        // `output` is this stretch of its recording
  term::ColorDepth depth = term::ColorDepth::kMono;

  // Of the pane that is being made.
  PaneIndex pane = 0;
  bool focused = false;  // it has the keys
  int width = 0;
  int height = 0;
  Spans title = {};  // in: from panes.def; out: what it wants to be called now

  // It can be typed into, interrupted, stopped.
  [[nodiscard]] bool run_is_live(const Model& model) const { return output != nullptr && model.run && !model.run->end; }

  [[nodiscard]] ftxui::Element line(Spans left, Spans right = {}) const {
    return ui::line(styles, std::move(left), std::move(right));
  }
  [[nodiscard]] ftxui::Element say(std::string text, Role role = Role::kText) const {
    return line({{std::move(text), role}});
  }
  [[nodiscard]] ftxui::Element selected(ftxui::Element element) const {
    return ui::over(std::move(element), styles[Role::kSelection]);
  }
  // Notes where it stands on the screen, for the mouse.
  [[nodiscard]] ftxui::Element hit(ftxui::Element element, Hit::Kind kind, int argument) const {
    return ui::hit(std::move(element), hits, {.kind = kind, .pane = pane, .argument = argument});
  }
};

using MakePane = ftxui::Element (*)(const Model&, Look&);

namespace panes {
#define PANE(name, title, number) ftxui::Element name(const Model& model, Look& look);
#include "ui/panes.def"
#undef PANE
}  // namespace panes

struct PaneEntry {
  std::string_view name;
  std::string_view title;
  int number;
  MakePane make;
};

inline constexpr std::array kPanes{
#define PANE(name, title, number) PaneEntry{#name, title, number, &panes::name},
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
