// processes — who uses the GPUs, and the trees below them.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/draw.hpp"
#include "ui/pane.hpp"
#include "ui/process_access.hpp"

namespace gputop::ui::panes {
namespace {

struct ColumnPlace {
  ProcessColumn column;
  int x;
  int width;
};

struct ColumnShape {
  int width;
  int rank;  // the lowest stays longest when room is short
  bool left;
};
// By ProcessColumn.
constexpr std::array<ColumnShape, kProcessColumns> kShapes{{
    {8, 0, false},
    {9, 5, true},
    {3, 2, false},
    {4, 8, true},
    {5, 3, false},
    {9, 1, false},
    {6, 4, false},
    {9, 6, false},
    {9, 7, false},
    {12, 0, true},
}};

bool wanted(const Settings& settings, ProcessColumn column) {
  if (settings.process_columns.empty()) return true;
  const auto name = kProcessColumnText[static_cast<std::size_t>(column)].name;
  return std::find(settings.process_columns.begin(), settings.process_columns.end(), name) !=
         settings.process_columns.end();
}

std::vector<ColumnPlace> place_columns(const Settings& settings, int width) {
  int most_rank = -1;
  for (int rank = 0, used = 0; rank <= 8; ++rank) {
    for (std::size_t i = 0; i < kProcessColumns; ++i) {
      if (kShapes[i].rank == rank && wanted(settings, static_cast<ProcessColumn>(i))) used += kShapes[i].width + 1;
    }
    if (used > width && rank > 0) break;
    most_rank = rank;
  }
  std::vector<ColumnPlace> places;
  int x = 0;
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    const auto column = static_cast<ProcessColumn>(i);
    if (!wanted(settings, column) || kShapes[i].rank > most_rank) continue;
    const int room = column == ProcessColumn::kCommand ? width - x : std::min(kShapes[i].width, width - x);
    if (room <= 0) break;
    places.push_back({column, x, room});
    x += room + 1;
  }
  return places;
}

std::string branch(unsigned depth) {
  if (depth == 0) return {};
  return std::string(std::min(depth - 1, 12U) * 2, ' ') + "└ ";
}

std::string cell_text(const PaneContext& context,
                      const ProcessRow& row,
                      const ProcessLine& line,
                      ProcessColumn column) {
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
      const auto time = running_time(row, context.model.wall(context.model.now));
      return time ? format_duration(*time) : unknown;
    }
    case ProcessColumn::kCommand:
      return branch(line.depth) + (row.host ? printable(row.host->command) : "(not visible from here)");
    case ProcessColumn::kCount: break;
  }
  return unknown;
}

void paint_heads(PaneContext& context, Painter& painter, const std::vector<ColumnPlace>& places) {
  const auto& order = context.view.processes.order;
  painter.fill(0, 0, painter.width(), kSpace, Role::kColumnHeader);
  for (const auto& place : places) {
    std::string title{kProcessColumnText[static_cast<std::size_t>(place.column)].title};
    if (order.sort == place.column) title += order.descending ? "↓" : "↑";
    if (kShapes[static_cast<std::size_t>(place.column)].left) {
      painter.text(place.x, 0, title, Role::kColumnHeader, place.width + 1);
    } else {
      painter.right(place.x + place.width, 0, title, Role::kColumnHeader, place.width + 1);
    }
    context.hit(painter, {place.x, 0, place.width + 1, 1}, Hit::Kind::kColumn, static_cast<int>(place.column));
  }
}

void paint_row(const PaneContext& context,
               Painter& painter,
               int y,
               const ProcessLine& line,
               const std::vector<ColumnPlace>& places) {
  const auto& row = context.model.processes[line.row];
  for (const auto& place : places) {
    const auto text = cell_text(context, row, line, place.column);
    const Ink ink = text == kUnknownText ? Role::kUnknown : Role::kText;
    if (kShapes[static_cast<std::size_t>(place.column)].left) {
      painter.text(place.x, y, text, ink, place.width);
    } else {
      painter.right(place.x + place.width, y, text, ink, place.width);
    }
  }
  if (!is_mine(row, context.identity)) painter.dim(y);
}

void name_it(PaneContext& context, std::size_t shown) {
  const auto& processes = context.view.processes;
  const auto all = context.model.processes.size();
  context.title = "Processes " + (shown == all ? "" : std::to_string(shown) + " of ") + std::to_string(all);
  if (processes.filter) context.title += " · filter " + printable(processes.filter_text);
  if (processes.order.tree) context.title += " · tree";
  if (processes.follow) context.title += " · following " + std::to_string(processes.followed);
}

}  // namespace

void processes(PaneContext& context, Painter painter) {
  auto& view = context.view.processes;
  const auto& rows = context.model.processes;
  auto& lines = context.process_lines;
  lines = arrange(rows, view.order, view.filter ? &*view.filter : nullptr);
  name_it(context, lines.size());
  const auto places = place_columns(context.settings, painter.width());
  paint_heads(context, painter, places);
  if (lines.empty()) {
    painter.text(1, 1, rows.empty() ? "no process uses a GPU" : "no process matches the filter", Role::kMuted);
    return;
  }
  if (view.follow) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const ProcessLine& line) { return rows[line.row].pid == view.followed; });
    if (found != lines.end()) view.list.cursor = static_cast<int>(found - lines.begin());
  }
  const int visible = painter.height() - 1;
  view.list.settle(static_cast<int>(lines.size()), visible);
  for (int y = 0; y < std::min(visible, static_cast<int>(lines.size()) - view.list.top); ++y) {
    const int index = view.list.top + y;
    paint_row(context, painter, y + 1, lines[static_cast<std::size_t>(index)], places);
    context.hit(painter, {0, y + 1, painter.width(), 1}, Hit::Kind::kRow, index);
    if (index == view.list.cursor && (context.focused || view.follow)) painter.select(y + 1);
  }
}

}  // namespace gputop::ui::panes
