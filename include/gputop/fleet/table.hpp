// A fleet as tables, filtered and sorted, for the screen and for text output. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/fleet/fleet.hpp"

namespace gputop::fleet {

enum class Tab : std::uint8_t { kTroubles, kNodes, kGpus, kJobs, kUsers };
inline constexpr std::size_t kTabs = 5;
std::string_view title_of(Tab tab);

struct Column {
  std::string_view title;
  int width = 0;
  int rank = 0;  // the lowest stays longest when space is short
  bool left = false;
  int grow = 0;  // < 0: the remaining space
};

struct Cell {
  std::string text;
  Reading<double> number = std::nullopt;  // the sort key; otherwise the text
  Level level = Level::kOk;
};

struct Row {
  std::string node;  // what the row is about; "" if it is not about one
  std::string gpu;
  std::string job;
  std::string user;
  std::vector<Cell> cells;
};

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// What the user looks at.
struct Selection {
  std::string filter = {};               // words, each of which must occur somewhere in a row, ignoring case
  std::optional<std::size_t> sort = {};  // a column; none: worst first
  bool descending = true;
  std::string node = {};  // only rows that belong to these
  std::string gpu = {};
  std::string job = {};
  std::string user = {};
};

// `price`: per GPU hour; unknown: costs are not shown.
Table make_table(const Fleet& fleet, Tab tab, const Selection& selection, Reading<double> price);

// "$2.50/h"
std::string money(double amount);
// "128 nodes · 1024 GPUs · 71 % busy · 37 idle but held, $92.50/h · 4 troubles"
std::string summary(const Fleet& fleet, Reading<double> price);

// All tables, one below the other, for output without a screen.
std::string fleet_text(const Fleet& fleet, Reading<double> price);
// Schema gputop.fleet/1; unknown is null.
std::string fleet_json(const Fleet& fleet, Reading<double> price);

}  // namespace gputop::fleet
