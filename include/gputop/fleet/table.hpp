// A fleet as tables: what the screen and the lines show, filtered and sorted. Pure.
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
  int rank = 0;  // the lowest stays longest where room is short
  bool left = false;
  int grow = 0;  // < 0: all that is left
};

struct Cell {
  std::string text;
  Reading<double> number = std::nullopt;  // to sort by; else the text
  Level level = Level::kOk;
};

struct Row {
  std::string node;  // what it is about: "" where it is not
  std::string gpu;
  std::string job;
  std::string user;
  std::vector<Cell> cells;
};

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// What is looked at.
struct Selection {
  std::string filter = {};  // words; each has to be somewhere in a row, in letters of any size
  std::optional<std::size_t> sort = {};  // a column; none: worst first
  bool descending = true;
  std::string node = {};  // only what belongs to these
  std::string gpu = {};
  std::string job = {};
  std::string user = {};
};

// `price`: of a GPU hour; unknown: costs are not shown.
Table make_table(const Fleet& fleet, Tab tab, const Selection& selection, Reading<double> price);

// "$2.50/h"
std::string money(double amount);
// "128 nodes · 1024 GPUs · 71 % busy · 37 idle but held, $92.50/h · 4 troubles"
std::string summary(const Fleet& fleet, Reading<double> price);

// All tables one below the other, for where there is no screen.
std::string fleet_text(const Fleet& fleet, Reading<double> price);
// Schema gputop.fleet/1; unknown is null.
std::string fleet_json(const Fleet& fleet, Reading<double> price);

}  // namespace gputop::fleet
