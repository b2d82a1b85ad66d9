// processes — who uses the GPUs, and the trees below them.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/look.hpp"
#include "ui/process_access.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

struct ProcessShape {
  int width;
  int rank;  // the lowest stays longest when room is short
  bool left;
};
// By ProcessColumn.
constexpr std::array<ProcessShape, kProcessColumns> kShapes{{
    {8, 0, false},
    {9, 5, true},
    {3, 2, false},
    {4, 8, true},
    {6, 3, false},
    {9, 1, false},
    {6, 4, false},
    {9, 6, false},
    {9, 7, false},
    {12, 0, true},
}};

bool is_wanted(const Settings& settings, ProcessColumn column) {
  if (settings.process_columns.empty()) return true;
  const auto name = kProcessColumnText[static_cast<std::size_t>(column)].name;
  return std::find(settings.process_columns.begin(), settings.process_columns.end(), name) !=
         settings.process_columns.end();
}

std::vector<TableColumn> process_columns(const Look& look) {
  const auto& order = look.view.processes.order;
  std::vector<TableColumn> columns;
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    const auto column = static_cast<ProcessColumn>(i);
    std::string title{kProcessColumnText[i].title};
    if (order.sort == column) title += order.descending ? "↓" : "↑";
    const bool wanted = is_wanted(look.settings, column);
    columns.push_back({title, wanted ? kShapes[i].width : 0, wanted ? kShapes[i].rank : 1000, kShapes[i].left,
                       column == ProcessColumn::kCommand ? -1 : 0});
  }
  return columns;
}

std::string branch(unsigned depth) {
  if (depth == 0) return {};
  return std::string(std::min(depth - 1, 12U) * 2, ' ') + "└ ";
}

std::string process_text(const Model& model, const ProcessRow& row, const ProcessLine& line, ProcessColumn column) {
  const auto unknown = std::string{kUnknownText};
  switch (column) {
    case ProcessColumn::kPid: return std::to_string(row.pid);
    case ProcessColumn::kUser: return row.host && !row.host->user.empty() ? printable(row.host->user) : unknown;
    case ProcessColumn::kGpu: return row.gpu ? std::to_string(*row.gpu) : unknown;
    case ProcessColumn::kType: return row.type ? std::string{to_string(*row.type)} : unknown;
    case ProcessColumn::kSm: return format_reading(row.sm, "");
    case ProcessColumn::kGpuMemory: return bytes_text(row.gpu_memory);
    case ProcessColumn::kCpu: return row.host ? format_reading(row.host->cpu, "", 0) : unknown;
    case ProcessColumn::kHostMemory: return row.host ? bytes_text(row.host->resident) : unknown;
    case ProcessColumn::kTime: {
      const auto time = running_time(row, model.wall(model.now));
      return time ? format_duration(*time) : unknown;
    }
    case ProcessColumn::kCommand:
      return branch(line.depth) + (row.host ? printable(row.host->command) : "(not visible from here)");
    case ProcessColumn::kCount: break;
  }
  return unknown;
}

Spans process_title(const Model& model, const Look& look, std::size_t shown) {
  const auto& processes = look.view.processes;
  const auto all = model.processes.size();
  auto title = "Processes " + (shown == all ? "" : std::to_string(shown) + " of ") + std::to_string(all);
  if (processes.filter) title += " · filter " + printable(processes.filter_text);
  if (processes.order.tree) title += " · tree";
  if (processes.follow) title += " · following " + std::to_string(processes.followed);
  Spans spans{{title, Role::kTitle}};
  if (look.width >= 70) spans.push_back({"  / filter  F6 sort  t tree  F9 signal  Enter details", Role::kMuted});
  return spans;
}

// The heads of the columns, a place to click each.
ftxui::Element heads(const Look& look, const std::vector<TableColumn>& columns, const std::vector<PlacedColumn>& places) {
  ftxui::Elements parts;
  int x = 0;
  for (const auto& place : places) {
    if (place.x > x) parts.push_back(ftxui::text(std::string(static_cast<std::size_t>(place.x - x), ' ')));
    const std::vector<PlacedColumn> alone{{place.column, 0, place.width}};
    parts.push_back(look.hit(table_head(look.styles, columns, alone), Hit::Kind::kColumn, static_cast<int>(place.column)) |
                    ftxui::size(ftxui::WIDTH, ftxui::EQUAL, place.width));
    x = place.x + place.width;
  }
  return ftxui::hbox(std::move(parts));
}

}  // namespace

ftxui::Element processes(const Model& model, Look& look) {
  auto& view = look.view.processes;
  const auto& rows = model.processes;
  auto& lines = look.process_lines;
  lines = arrange(rows, view.order, view.filter ? &*view.filter : nullptr);
  look.title = process_title(model, look, lines.size());
  const auto columns = process_columns(look);
  const auto places = fit_columns(columns, look.width);
  ftxui::Elements table{heads(look, columns, places)};
  if (lines.empty()) {
    table.push_back(look.say(rows.empty() ? " no process uses a GPU" : " no process matches the filter", Role::kMuted));
    return ftxui::vbox(std::move(table));
  }
  if (view.follow) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const ProcessLine& line) { return rows[line.row].pid == view.followed; });
    if (found != lines.end()) view.list.cursor = static_cast<int>(found - lines.begin());
  }
  const int visible = look.height - 1;
  view.list.settle(static_cast<int>(lines.size()), visible);
  for (int i = view.list.top; i < std::min(view.list.top + visible, static_cast<int>(lines.size())); ++i) {
    const auto& line = lines[static_cast<std::size_t>(i)];
    std::vector<TableCell> cells;
    for (const auto& place : places) {
      cells.push_back({process_text(model, rows[line.row], line, static_cast<ProcessColumn>(place.column))});
    }
    auto row = table_row(look.styles, columns, places, std::move(cells));
    if (!is_mine(rows[line.row], look.identity)) row = row | ftxui::dim;
    if (i == view.list.cursor && (look.focused || view.follow)) row = look.selected(row);
    table.push_back(look.hit(row, Hit::Kind::kRow, i));
  }
  return ftxui::vbox(std::move(table));
}

}  // namespace gputop::ui::panes
