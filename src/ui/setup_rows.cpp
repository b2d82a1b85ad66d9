#include "ui/setup_rows.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop::ui {
namespace {

using std::chrono::milliseconds;
constexpr std::array kIntervals{milliseconds{100},   milliseconds{200},   milliseconds{500},
                                milliseconds{1000},  milliseconds{2000},  milliseconds{5000},
                                milliseconds{10000}, milliseconds{30000}, milliseconds{60000}};

constexpr std::array kScrollbacks{500, 1000, 3000, 10'000, 30'000, 100'000};

// The entry `step` further on, around the end.
template <class Range>
std::size_t turned(const Range& range, std::size_t at, int step) {
  const auto count = static_cast<int>(range.size());
  return static_cast<std::size_t>(((static_cast<int>(at) + step) % count + count) % count);
}

bool listed(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void toggle(std::vector<std::string>& names, std::string_view name) {
  if (listed(names, name)) {
    std::erase(names, name);
  } else {
    names.emplace_back(name);
  }
}

// No list means all columns; taking one away makes the list, in the table's order.
void toggle_column(Settings& settings, std::size_t column) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    const auto name = kProcessColumnText[i].name;
    const bool now = settings.process_columns.empty() || listed(settings.process_columns, name);
    if (now != (i == column)) shown.emplace_back(name);
  }
  if (shown.empty()) return;  // a table without a column is no table
  settings.process_columns = shown.size() == kProcessColumns ? std::vector<std::string>{} : shown;
}

std::vector<Effect> turn_theme(Settings& settings, const Choices& choices, int step) {
  if (choices.themes.empty()) return {};
  const auto found = std::find(choices.themes.begin(), choices.themes.end(), settings.theme);
  const auto at = found == choices.themes.end() ? 0 : static_cast<std::size_t>(found - choices.themes.begin());
  settings.theme = choices.themes[turned(choices.themes, at, step)];
  return {SelectTheme{settings.theme}};
}

// The next larger or smaller one of these; stops at both ends.
template <class Range, class Value>
Value stepped(const Range& values, Value now, int step) {
  auto at = std::lower_bound(values.begin(), values.end(), now) - values.begin();
  const bool between = at < static_cast<std::ptrdiff_t>(values.size()) && values[static_cast<std::size_t>(at)] != now;
  at += between && step > 0 ? 0 : step;
  return values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(values) - 1))];
}

std::string_view on_off(bool on) {
  return on ? "on" : "off";
}

}  // namespace

std::vector<SetupRow> setup_rows() {
  using Kind = SetupRow::Kind;
  std::vector<SetupRow> rows{
      {Kind::kTheme}, {Kind::kInterval}, {Kind::kTemperature}, {Kind::kMouse}, {Kind::kNotify}, {Kind::kScrollback}};
  for (std::size_t i = 0; i < kPanes.size(); ++i) {
    if (kPanes[i].number > 0) rows.push_back({Kind::kPane, i});
  }
  rows.insert(rows.end(), {{Kind::kSort}, {Kind::kDirection}, {Kind::kTree}});
  for (std::size_t i = 0; i < kProcessColumns; ++i) rows.push_back({Kind::kColumn, i});
  return rows;
}

bool is_switch(const SetupRow& row) {
  return row.kind == SetupRow::Kind::kPane || row.kind == SetupRow::Kind::kColumn || row.kind == SetupRow::Kind::kMouse ||
         row.kind == SetupRow::Kind::kNotify || row.kind == SetupRow::Kind::kTree;
}

std::string setup_label(const SetupRow& row) {
  switch (row.kind) {
    case SetupRow::Kind::kTheme: return "Theme";
    case SetupRow::Kind::kInterval: return "Interval";
    case SetupRow::Kind::kTemperature: return "Temperature in";
    case SetupRow::Kind::kMouse: return "Mouse";
    case SetupRow::Kind::kNotify: return "Desktop messages";
    case SetupRow::Kind::kScrollback: return "Output scrollback";
    case SetupRow::Kind::kPane: return "Pane: " + std::string{kPanes[row.index].title};
    case SetupRow::Kind::kColumn: return "Column: " + std::string{kProcessColumnText[row.index].title};
    case SetupRow::Kind::kSort: return "Processes sorted by";
    case SetupRow::Kind::kDirection: return "Order";
    case SetupRow::Kind::kTree: return "Processes as a tree";
  }
  return "?";
}

std::string setup_value(const SetupRow& row, const Settings& settings) {
  switch (row.kind) {
    case SetupRow::Kind::kTheme: return printable(settings.theme);
    case SetupRow::Kind::kInterval:
      return format_number(static_cast<double>(settings.interval.count()) / 1000, 1) + " s";
    case SetupRow::Kind::kTemperature: return settings.temperature_unit == TemperatureUnit::kCelsius ? "°C" : "°F";
    case SetupRow::Kind::kMouse: return std::string{on_off(settings.mouse)};
    case SetupRow::Kind::kNotify: return std::string{on_off(settings.notify)};
    case SetupRow::Kind::kScrollback: return std::to_string(settings.scrollback) + " lines";
    case SetupRow::Kind::kPane: return listed(settings.hidden_panes, kPanes[row.index].name) ? "hidden" : "shown";
    case SetupRow::Kind::kColumn: {
      const bool shown =
          settings.process_columns.empty() || listed(settings.process_columns, kProcessColumnText[row.index].name);
      return shown ? "shown" : "hidden";
    }
    case SetupRow::Kind::kSort: {
      const auto column = process_column(settings.process_sort);
      return std::string{column ? kProcessColumnText[static_cast<std::size_t>(*column)].title : std::string_view{"?"}};
    }
    case SetupRow::Kind::kDirection: return settings.process_sort_descending ? "largest first" : "smallest first";
    case SetupRow::Kind::kTree: return std::string{on_off(settings.process_tree)};
  }
  return "?";
}

std::vector<Effect> change_setting(const SetupRow& row, int step, Settings& settings, const Choices& choices) {
  switch (row.kind) {
    case SetupRow::Kind::kTheme: return turn_theme(settings, choices, step);
    case SetupRow::Kind::kInterval:
      settings.interval = stepped(kIntervals, settings.interval, step);
      return {SetInterval{settings.interval}};
    case SetupRow::Kind::kScrollback:
      settings.scrollback = stepped(kScrollbacks, settings.scrollback, step);
      return {SetScrollback{settings.scrollback}};
    case SetupRow::Kind::kTemperature:
      settings.temperature_unit = settings.temperature_unit == TemperatureUnit::kCelsius ? TemperatureUnit::kFahrenheit
                                                                                         : TemperatureUnit::kCelsius;
      return {};
    case SetupRow::Kind::kMouse: settings.mouse = !settings.mouse; return {SetMouse{settings.mouse}};
    case SetupRow::Kind::kNotify: settings.notify = !settings.notify; return {};
    case SetupRow::Kind::kPane: toggle(settings.hidden_panes, kPanes[row.index].name); return {};
    case SetupRow::Kind::kColumn: toggle_column(settings, row.index); return {};
    case SetupRow::Kind::kSort: {
      const auto at =
          static_cast<std::size_t>(process_column(settings.process_sort).value_or(ProcessColumn::kGpuMemory));
      settings.process_sort = kProcessColumnText[turned(kProcessColumnText, at, step)].name;
      return {};
    }
    case SetupRow::Kind::kDirection: settings.process_sort_descending = !settings.process_sort_descending; return {};
    case SetupRow::Kind::kTree: settings.process_tree = !settings.process_tree; return {};
  }
  return {};
}

}  // namespace gputop::ui
