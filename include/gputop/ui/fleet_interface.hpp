// The screen of gputop fleet: tables of troubles, nodes, GPUs, jobs and users, and a page with charts about one of them.
// FTXUI elements like the panes; no clock, no I/O.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ftxui/component/event.hpp>
#include <ftxui/screen/screen.hpp>

#include "gputop/config/theme.hpp"
#include "gputop/fleet/api.hpp"
#include "gputop/fleet/table.hpp"
#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/glyphs.hpp"

namespace gputop::ui {

class FleetInterface {
 public:
  struct Options {
    term::ColorDepth depth = term::ColorDepth::kMono;
    GlyphSet glyphs = GlyphSet::kBraille;
    Reading<double> price;  // of a GPU hour
    std::string url;
  };
  FleetInterface(const Theme& theme, Options options);

  // What a key wants done.
  enum class Wish { kNothing, kQuit, kRefresh, kHistory };
  Wish handle(const ftxui::Event& event);

  void set_fleet(fleet::Fleet fleet);
  // The last answer stays on the screen, with the time it is from.
  void set_problem(std::string text, WallTime since);

  // A figure of the page that is open: what is to be asked for its chart.
  struct Chart {
    std::string title;
    std::string query;
    double factor = 1;
    double top = 0;  // of the scale; 0: by the values
    Role role = Role::kUtilization;
    std::string unit;
  };
  [[nodiscard]] std::vector<Chart> charts() const;
  // Which page the answer belongs to.
  [[nodiscard]] std::uint64_t page() const { return page_number_; }
  void set_history(std::uint64_t page, double from, double to, std::vector<fleet::Series> series);

  void render(ftxui::Screen& screen, WallTime now);

 private:
  // What is looked at; going into something puts another one on top.
  struct Place {
    fleet::Tab tab = fleet::Tab::kTroubles;
    fleet::Selection selection;
    int cursor = 0;
    int top = 0;
    bool about_one = false;  // a page about a node, GPU, job or user
  };
  [[nodiscard]] const Place& place() const { return places_.back(); }
  [[nodiscard]] Place& place() { return places_.back(); }
  [[nodiscard]] fleet::Table table() const;
  void clamp_cursor(int rows, int visible);
  Wish enter();
  Wish leave();
  Wish type(const ftxui::Event& event);
  Wish open(Place next);
  bool move(const ftxui::Event& event);
  void sort_next();

  [[nodiscard]] ftxui::Element head(WallTime now, int width) const;
  [[nodiscard]] ftxui::Element tabs() const;
  [[nodiscard]] ftxui::Elements facts(int width) const;
  [[nodiscard]] ftxui::Element chart_row(const std::vector<Chart>& wanted, std::size_t first, std::size_t count, int width) const;
  [[nodiscard]] ftxui::Elements rows(int width, int height);
  [[nodiscard]] ftxui::Element foot() const;

  term::StyleSheet styles_;
  Options options_;
  std::optional<fleet::Fleet> fleet_;
  std::string problem_;
  WallTime problem_since_{};
  std::vector<Place> places_;
  bool typing_ = false;  // a filter
  int page_height_ = 10;
  std::uint64_t page_number_ = 0;
  struct History {
    double from = 0;
    double to = 0;
    std::vector<fleet::Series> series;
  };
  std::optional<History> history_;
};

}  // namespace gputop::ui
