// charts — the metrics over time, as many side by side as there is room for, all on one time axis with one cursor.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/chart_scale.hpp"
#include "ui/draw.hpp"
#include "ui/plot.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kLeastWidth = 44;  // of one chart among several
constexpr int kLeastHeight = 7;

// Columns of the vertical axis.
int label_width(ChartMetric metric) {
  return metric == ChartMetric::kPcie ? 11 : metric == ChartMetric::kThroughput ? 9 : 7;
}

Role role_of(ChartMetric metric) {
  switch (metric) {
    case ChartMetric::kMemory: return Role::kMemory;
    case ChartMetric::kThroughput: return Role::kAccent;
    case ChartMetric::kPower: return Role::kPower;
    case ChartMetric::kTemperature: return Role::kTemperature;
    case ChartMetric::kPcie: return Role::kPcie;
    default: return Role::kUtilization;
  }
}

// "5 min", "2 h", "3 d".
std::string span_text(Duration span) {
  const auto seconds = static_cast<std::int64_t>(to_seconds(span) + 0.5);
  if (seconds < 120 && seconds % 60 != 0) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  if (seconds < 172800) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " d";
}

std::string subject(const PaneContext& context, ChartMetric metric) {
  if (metric == ChartMetric::kThroughput) return {};  // the run's, not a GPU's
  if (context.view.chart.gpu) return "GPU " + std::to_string(*context.view.chart.gpu);
  return context.model.gpus.size() > 1 ? "mean of " + std::to_string(context.model.gpus.size()) + " GPUs" : "";
}

// What is read now, or what the column under the cursor says; of a run's throughput and of a view of the past, the
// newest column.
std::string readout(const PaneContext& context,
                    ChartMetric metric,
                    const ChartWindow& window,
                    const std::vector<std::optional<ChartColumn>>& columns) {
  const auto& cursor = context.view.chart.cursor;
  if (!cursor && metric != ChartMetric::kThroughput && context.view.chart.back == Duration{}) {
    const auto now = value_now(context.model, metric, context.view.chart.gpu);
    return now ? chart_value(context, metric, *now) : std::string{kUnknownText};
  }
  if (!cursor) {
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
      if (*column) return chart_value(context, metric, static_cast<double>((*column)->mean));
    }
    return std::string{kUnknownText};
  }
  const int cell = window.cell_of(*cursor);
  if (cell < 0 || cell >= window.cells) return std::string{kUnknownText};
  Reading<ChartColumn> seen;
  for (int i = 0; i < ChartData::kColumnsPerCell; ++i) {
    const auto& column = columns[static_cast<std::size_t>(cell * ChartData::kColumnsPerCell + i)];
    if (!column) continue;
    seen = seen ? ChartColumn{(seen->mean + column->mean) / 2, std::min(seen->min, column->min),
                              std::max(seen->max, column->max)}
                : *column;
  }
  if (!seen) return std::string{kUnknownText};
  auto text = chart_value(context, metric, static_cast<double>(seen->mean));
  const auto low = chart_value(context, metric, static_cast<double>(seen->min));
  const auto high = chart_value(context, metric, static_cast<double>(seen->max));
  if (low != high) text += " (" + low + " … " + high + ")";
  return text;
}

void axis(const PaneContext& context, Painter painter, const ChartWindow& window) {
  const auto& chart = context.view.chart;
  const auto now = context.model.now;
  std::vector<int> marks;
  for (auto line = context.model.log.rbegin(); line != context.model.log.rend(); ++line) {
    if (line->at < window.from) break;
    if (line->severity == Noted::Severity::kInfo || line->at > now) continue;
    const int cell = window.cell_of(line->at);
    if (cell >= 0 && cell < window.cells) marks.push_back(cell);
  }
  for (const auto& mark : context.model.changes.marks) {
    const int cell = window.cell_of(mark.at);
    if (cell >= 0 && cell < window.cells) marks.push_back(cell);
  }
  // A label that a mark would pierce gives way to it.
  const auto label = [&](int x, const std::string& text) {
    const int end = x + columns_of(text);
    if (std::any_of(marks.begin(), marks.end(), [&](int mark) { return mark >= x && mark < end; })) return;
    painter.text(x, 0, text, Role::kMuted);
  };
  if (chart.cursor) {
    const auto at = window.cell_of(*chart.cursor);
    const auto text = "at " + format_duration(std::max(Duration{}, chart.cursor->time_since_epoch()));
    painter.text(std::clamp(at - 2, 0, std::max(0, painter.width() - columns_of(text))), 0, text, Role::kAccent);
  } else {
    label(0, joined({"-", span_text(window.to() - window.from + chart.back)}));
    const std::string end = chart.back > Duration{} ? joined({"-", span_text(chart.back)}) : std::string{"now"};
    label(std::max(0, painter.width() - columns_of(end)), end);
  }
  for (const int mark : marks) painter.put(mark, 0, glyph("▲"), Role::kEventMark);
}

void one_chart(PaneContext& context, Painter painter, ChartMetric metric) {
  const int labels = label_width(metric);
  const int cells = painter.width() - labels - 1;
  const int rows = painter.height() - 2;
  if (cells < 4 || rows < 1) {
    painter.text(0, 0, to_string(metric), Role::kMuted);
    return;
  }
  const auto window = context.view.chart.window(context.model.now, cells);
  const auto& columns = context.charts.columns(context.model, metric, context.view.chart.gpu, window);
  const auto scale = chart_scale(context, metric, columns);
  int x = painter.text(labels, 0, to_string(metric), role_of(metric)) + labels + 1;
  x += painter.text(x, 0, readout(context, metric, window, columns), Role::kText) + 2;
  painter.text(x, 0, subject(context, metric), Role::kMuted, painter.width() - x - 1);
  painter.right(labels - 1, 1, scale.top_text, Role::kMuted);
  if (rows >= 5) painter.right(labels - 1, 1 + rows / 2, scale.middle_text, Role::kMuted);
  if (rows >= 2) painter.right(labels - 1, rows, "0", Role::kMuted);
  auto area = painter.part(labels, 1, cells, rows);
  plot(area, columns, scale.top, role_of(metric), context.glyphs);
  context.hit(area, {0, 0, cells, rows + 1}, Hit::Kind::kPlot, cells);
  if (context.view.chart.cursor) {
    const int cell = window.cell_of(*context.view.chart.cursor);
    for (int y = 0; y < rows && cell >= 0 && cell < cells; ++y) area.part(cell, y, 1, 1).select(0);
  }
  axis(context, painter.part(labels, rows + 1, cells, 1), window);
}

}  // namespace

void charts(PaneContext& context, Painter painter) {
  const auto now = context.model.now;
  context.title = "Charts " + span_text(context.view.chart.span(now));
  if (context.view.chart.zoom + 1 == ChartView::kSpans.size()) context.title = "Charts, whole run";
  const auto& run = context.model.run;
  const bool has_throughput = run && !run->throughput_unit.empty();
  const int most = static_cast<int>(kChartMetrics) - (has_throughput ? 0 : 1);
  const int across = std::clamp(painter.width() / kLeastWidth, 1, most);
  int rows = std::clamp(painter.height() / kLeastHeight, 1, most);
  const int count = std::min(most, across * rows);
  rows = (count + across - 1) / across;
  for (int row = 0, done = 0; row < rows; ++row) {
    const int here = (count - done + rows - row - 1) / (rows - row);
    const int top = painter.height() * row / rows;
    for (int i = 0; i < here; ++i, ++done) {
      const int left = painter.width() * i / here;
      const int right = painter.width() * (i + 1) / here;
      const auto metric = next_metric(context.view.chart.metric, done, has_throughput);
      one_chart(context, painter.part(left, top, right - left, painter.height() * (row + 1) / rows - top), metric);
    }
  }
}

}  // namespace gputop::ui::panes
