// The elements that FTXUI does not have, beside those it has: one node a file in src/ui/nodes. They borrow the style
// sheet and live no longer than the frame they are made for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ftxui/dom/elements.hpp>

#include "gputop/app/view.hpp"
#include "gputop/config/theme.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/term/output_line.hpp"
#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/glyphs.hpp"

namespace gputop::ui {

using Styles = term::StyleSheet;

struct Span {
  std::string text;
  Role role = Role::kText;
};
using Spans = std::vector<Span>;

// One row. What does not fit ends in "…"; `right` stands at the right end where there is room for it.
ftxui::Element line(const Styles& styles, Spans left, Spans right = {});

// Wrapped text, a row each, at most `most` of them.
ftxui::Elements paragraph(const Styles& styles, std::string_view text, int width, Role role, std::size_t most = 100,
                          std::string_view first = "", std::string_view next = "");

// "■■■■▨▨··": what is filled, of that what was lost to a slowdown, and the rest. Unknown is an empty one.
struct BarFill {
  Reading<double> share;  // 0…1
  double slowed = 0;      // of the whole bar, at its filled end
  Role role = Role::kUtilization;
};
ftxui::Element bar(const Styles& styles, BarFill fill);
// A bar with a value behind it, which has `value_width` columns. The bar goes first where there is no room for both.
ftxui::Element meter(const Styles& styles, BarFill fill, std::string value, int value_width, Role value_role,
                     int most_bar = 1000);

// The last minutes in one row, values 0…1; two of them a column where the terminal has braille.
ftxui::Element sparkline(const Styles& styles, std::vector<Reading<float>> values, Role role, GlyphSet glyphs);
constexpr int kSparkPerColumn = 2;

struct ChartColumn {
  float mean = 0;
  float min = 0;
  float max = 0;
};
struct ChartPicture {
  Spans title;
  std::vector<std::optional<ChartColumn>> columns;  // two a column of the screen, oldest first
  double top = 100;                                 // at the upper edge; the lower one is 0
  std::string top_text;
  std::string middle_text;
  Role role = Role::kUtilization;
  bool band = false;  // a line with low and high around it; else a filled area
  struct Mark {
    int cell = 0;
    std::string glyph;
    Role role = Role::kEventMark;
  };
  std::vector<Mark> marks;
  struct Tick {
    int cell = 0;
    std::string text;
  };
  std::vector<Tick> ticks;
  std::optional<int> cursor;  // a cell
  std::string cursor_text;
};
constexpr int kChartLabels = 6;  // columns left of the picture
// Title, picture, axis and the ticks' labels, in the room it gets.
ftxui::Element chart(const Styles& styles, ChartPicture picture, GlyphSet glyphs);

// A table whose columns go by priority where room is short.
struct TableColumn {
  std::string title;
  int width = 0;
  int rank = 0;  // the lowest stays longest
  bool left = false;
  int grow = 0;  // so many columns more, where there is room; < 0: all that is left
};
struct PlacedColumn {
  std::size_t column = 0;
  int x = 0;
  int width = 0;
};
std::vector<PlacedColumn> fit_columns(const std::vector<TableColumn>& columns, int width, int gap = 1);
struct TableCell {
  std::string text;
  Role role = Role::kText;
  ftxui::Element element = nullptr;  // instead of the text
};
// One row of cells, by entry of `places`.
ftxui::Element table_row(const Styles& styles,
                         const std::vector<TableColumn>& columns,
                         const std::vector<PlacedColumn>& places,
                         std::vector<TableCell> cells);
ftxui::Element table_head(const Styles& styles,
                          const std::vector<TableColumn>& columns,
                          const std::vector<PlacedColumn>& places);

// A line of the job's output as its terminal has it, found text marked.
struct OutputCells {
  const term::OutputLine* line = nullptr;
  std::vector<std::pair<std::size_t, std::size_t>> matches;  // bytes
  bool current = false;                                      // this line's matches are the ones jumped to
  std::optional<int> cursor;
};
ftxui::Element output_cells(const Styles& styles, OutputCells cells, term::ColorDepth depth);

// The frame's line above a pane, with its name on it: "─ 2 Charts ───". It meets the lines beside it.
ftxui::Element rule(const Styles& styles, Spans title, Spans right, Role role);
// Beside a pane.
ftxui::Element wall(const Styles& styles, Role role);

// A look over everything that the element painted.
ftxui::Element over(ftxui::Element element, const term::Look& look);
// Cells of an earlier frame, where they were.
ftxui::Element kept(const ftxui::Screen& frame, ftxui::Box box);

// What lies under the mouse. Later ones lie over earlier ones.
struct Hit {
  enum class Kind : std::uint8_t { kPane, kRow, kColumn, kKey, kPlot, kMenuRow };
  ftxui::Box area = {};
  Kind kind = Kind::kPane;
  PaneIndex pane = 0;
  int argument = 0;  // row, column, action
};
ftxui::Element hit(ftxui::Element element, std::vector<Hit>& hits, Hit hit);

}  // namespace gputop::ui
