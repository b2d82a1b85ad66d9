// gpus — every GPU in one to three lines, or in a grid when there are many. Without any: why there are none.
#include <algorithm>
#include <numeric>

#include "gputop/core/format.hpp"
#include "ui/gpu_lines.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

void say_why_there_are_none(PaneContext& context, Painter painter) {
  const auto& source = context.model.gpu_source;
  if (source.state == SourceStatus::State::kUnavailable) {
    int y = 0;
    for (const auto& line : wrapped("no GPU: " + printable(source.message), painter.width() - 2)) {
      painter.text(1, y++, line, Role::kWarning);
    }
    return;
  }
  painter.text(1, 0, source.source.empty() ? "waiting for the first reading" : "the driver lists no GPU", Role::kMuted);
}

// Air to both sides where there is room.
Painter inset(const Painter& painter) {
  return painter.width() >= 60 ? painter.part(1, 0, painter.width() - 2, painter.height()) : painter;
}

std::vector<std::size_t> order_of(const Model& model, bool by_trouble) {
  std::vector<std::size_t> order(model.gpus.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (by_trouble) {
    std::vector<int> trouble;
    trouble.reserve(order.size());
    for (const auto& track : model.gpus) trouble.push_back(gpu_trouble(model, track));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return trouble[a] < trouble[b]; });
  }
  return order;
}

}  // namespace

void gpus(PaneContext& context, Painter painter) {
  const auto& model = context.model;
  painter = inset(painter);
  if (model.gpus.empty()) return say_why_there_are_none(context, painter);
  const auto arrangement = arrange_gpus(model, painter.width(), painter.height());
  const auto order = order_of(model, arrangement.grid && context.view.gpus_by_trouble);
  const auto plan = plan_gpu_lines(model, painter.width(), arrangement.lines);
  const int count = static_cast<int>(order.size());
  // The list scrolls by rows of the grid.
  auto& list = context.view.gpus;
  const int rows = (count + arrangement.columns - 1) / arrangement.columns;
  const int visible = std::max(1, painter.height() / arrangement.lines);
  list.settle(rows, visible);
  const int cell = painter.width() / arrangement.columns;
  for (int row = list.top; row < std::min(rows, list.top + visible); ++row) {
    const int y = (row - list.top) * arrangement.lines;
    for (int column = 0; column < arrangement.columns; ++column) {
      // Down the columns when all are visible (as people count), across when scrolling.
      const int position = rows <= visible ? column * rows + row : row * arrangement.columns + column;
      if (position >= count) break;
      const auto& track = model.gpus[order[static_cast<std::size_t>(position)]];
      auto place = painter.part(column * cell, y, arrangement.grid ? cell : painter.width(), arrangement.lines);
      if (arrangement.grid) {
        paint_gpu_cell(context, track, place);
      } else {
        paint_gpu(context, track, plan, place);
      }
      context.hit(place, {0, 0, place.width(), place.height()}, Hit::Kind::kRow, static_cast<int>(track.now.index));
      if (context.view.chart.gpu == track.now.index && model.gpus.size() > 1)
        place.put(arrangement.grid ? 0 : 5 + (track.now.index > 9), 0, glyph("▶"), Role::kAccent);
    }
  }
  context.title = "GPUs " + std::to_string(count);
  if (rows > visible) {
    context.title += " · rows " + std::to_string(list.top + 1) + "–" +
                     std::to_string(std::min(rows, list.top + visible)) + " of " + std::to_string(rows);
  }
}

}  // namespace gputop::ui::panes
