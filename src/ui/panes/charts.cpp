// charts — the metrics over time, all on one time axis with one cursor: of all GPUs together, of one, or of each.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/chart_scale.hpp"
#include "ui/look.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kLeastWidth = 36;  // of one chart among several
constexpr int kLeastHeight = 7;

Role chart_role(ChartMetric metric) {
  switch (metric) {
    case ChartMetric::kMemory: return Role::kMemory;
    case ChartMetric::kThroughput: return Role::kAccent;
    case ChartMetric::kLoss: return Role::kThroughput;
    case ChartMetric::kPower: return Role::kPower;
    case ChartMetric::kTemperature: return Role::kTemperature;
    case ChartMetric::kPcie: return Role::kPcie;
    default: return Role::kUtilization;
  }
}

// "5 min", "2.5 min", "2 h", "3 d".
std::string span_text(Duration span) {
  const auto seconds = static_cast<std::int64_t>(to_seconds(span) + 0.5);
  if (seconds < 120 && seconds % 60 != 0) return std::to_string(seconds) + " s";
  if (seconds < 600 && seconds % 60 != 0) return format_number(static_cast<double>(seconds) / 60, 1) + " min";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  if (seconds < 172800) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " d";
}

using Columns = std::vector<std::optional<ChartColumn>>;

Reading<ChartColumn> joined_columns(const Columns& columns, std::size_t from, std::size_t to) {
  Reading<ChartColumn> seen;
  for (auto i = from; i < std::min(to, columns.size()); ++i) {
    if (!columns[i]) continue;
    seen = seen ? ChartColumn{(seen->mean + columns[i]->mean) / 2, std::min(seen->min, columns[i]->min),
                              std::max(seen->max, columns[i]->max)}
                : *columns[i];
  }
  return seen;
}

// What is read now, or what stands under the cursor; low and high where they are not the same and have room behind the
// `named` columns of the chart's name.
Spans readout(const Model& model, const Look& look, ChartMetric metric, Reading<unsigned> gpu,
              const ChartWindow& window, const Columns& columns, int named, int width) {
  const auto& chart = look.view.chart;
  const auto say = [&](double value) { return chart_value(model, look, metric, value); };
  Reading<ChartColumn> seen;
  if (chart.cursor) {
    const int cell = window.cell_of(*chart.cursor);
    if (cell >= 0) seen = joined_columns(columns, static_cast<std::size_t>(cell) * 2, static_cast<std::size_t>(cell) * 2 + 2);
  } else {
    for (auto i = columns.size(); i-- > 0 && !seen;) seen = columns[i];
    const auto now = chart.back == Duration{} ? value_now(model, metric, gpu) : std::nullopt;
    if (now && seen) seen->mean = static_cast<float>(*now);
  }
  if (!seen) return {{std::string{kUnknownText}, Role::kUnknown}};
  Spans spans{{say(static_cast<double>(seen->mean)), Role::kText}};
  const auto low = say(static_cast<double>(seen->min));
  const auto high = say(static_cast<double>(seen->max));
  if (low == high) return spans;
  int used = columns_of(spans.front().text) + named;
  for (const auto& text : {"   lowest " + low + " · highest " + high, "   " + low + " – " + high}) {
    if (used + columns_of(text) > width) continue;
    spans.push_back({text, Role::kMuted});
    break;
  }
  return spans;
}

void add_marks(const Model& model, const ChartWindow& window, ChartPicture& picture) {
  for (auto line = model.log.rbegin(); line != model.log.rend() && line->at >= window.from; ++line) {
    if (line->severity == Noted::Severity::kInfo || line->at > model.now) continue;
    const bool error = line->severity == Noted::Severity::kError;
    picture.marks.push_back({window.cell_of(line->at), error ? "✗" : "▲", error ? Role::kBad : Role::kEventMark});
  }
  for (const auto& mark : model.changes.marks) picture.marks.push_back({window.cell_of(mark.at), "▲"});
}

void add_ticks(const Look& look, const ChartWindow& window, ChartPicture& picture) {
  const auto& chart = look.view.chart;
  const int parts = window.cells >= 40 ? 4 : 2;
  const Duration whole = window.cell * window.cells;
  for (int i = 0; i <= parts; ++i) {
    const int cell = std::min(window.cells - 1, window.cells * i / parts);
    const Duration ago = whole * (parts - i) / parts + chart.back;
    const bool now = i == parts && chart.back == Duration{};
    picture.ticks.push_back({cell, now ? "now" : "-" + span_text(ago)});
  }
}

ftxui::Element one_chart(const Model& model, Look& look, ChartMetric metric, Reading<unsigned> gpu, bool named,
                         int width, int height) {
  const int cells = width - kChartLabels - 1;
  if (cells < 4 || height < 4) return look.say(std::string{to_string(metric)}, Role::kMuted);
  const auto& view = look.view.chart;
  const auto window = view.window(model.now, cells);
  const auto& columns = look.charts.columns(model, metric, gpu, window);
  const auto scale = chart_scale(model, look, metric, columns);
  ChartPicture picture{.columns = columns,
                       .top = scale.top,
                       .top_text = scale.top_text,
                       .middle_text = scale.middle_text,
                       .role = chart_role(metric)};
  const bool of_gpus = metric != ChartMetric::kThroughput && metric != ChartMetric::kLoss;
  picture.band = of_gpus && !gpu && model.gpus.size() > 1;
  const auto name = " " + (named && gpu ? "GPU " + std::to_string(*gpu) : std::string{to_string(metric)});
  picture.title = {{name, picture.role}, {" ", Role::kText}};
  for (auto& span : readout(model, look, metric, gpu, window, columns, columns_of(name) + 1, width - 2)) {
    picture.title.push_back(std::move(span));
  }
  add_marks(model, window, picture);
  add_ticks(look, window, picture);
  if (view.cursor) {
    picture.cursor = window.cell_of(*view.cursor);
    picture.cursor_text = "at " + format_duration(std::max(Duration{}, view.cursor->time_since_epoch()));
  }
  return look.hit(chart(look.styles, std::move(picture), look.glyphs), Hit::Kind::kPlot, cells) |
         ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width) | ftxui::size(ftxui::HEIGHT, ftxui::EQUAL, height);
}

}  // namespace

ftxui::Element charts(const Model& model, Look& look) {
  const auto& view = look.view.chart;
  const bool run = model.run && !model.run->throughput_unit.empty();
  const bool loss = model.run && !model.run->loss.empty();
  const bool each = view.each_gpu && model.gpus.size() > 1;
  std::vector<std::pair<ChartMetric, Reading<unsigned>>> wanted;
  if (each) {
    for (const auto& track : model.gpus) wanted.emplace_back(view.metric, track.now.index);
  } else {
    const int most = static_cast<int>(kChartMetrics) - (run ? 0 : 1) - (loss ? 0 : 1);
    for (int i = 0; i < most; ++i) {
      const auto metric = next_metric(view.metric, i, run, loss);
      if (has_values(model, metric)) wanted.emplace_back(metric, view.gpu);
    }
    if (wanted.empty()) wanted.emplace_back(view.metric, view.gpu);  // nothing yet
  }
  const int most = static_cast<int>(wanted.size());
  const int across = std::clamp(look.width / (each ? kLeastWidth - 8 : kLeastWidth), 1, most);
  const int rows = std::clamp(look.height / kLeastHeight, 1, (most + across - 1) / across);
  const int count = std::min(most, across * rows);
  const int width = look.width / across;  // the same for all
  ftxui::Elements lines;
  for (int row = 0, done = 0; row < rows && done < count; ++row) {
    const int height = look.height * (row + 1) / rows - look.height * row / rows;
    ftxui::Elements here;
    for (int i = 0; i < across && done < count; ++i, ++done) {
      const auto& [metric, gpu] = wanted[static_cast<std::size_t>(done)];
      here.push_back(one_chart(model, look, metric, gpu, each, width, height));
    }
    lines.push_back(ftxui::hbox(std::move(here)));
  }
  const bool whole = !view.grows && view.zoom + 1 == ChartView::kSpans.size();
  std::string title = "Charts";
  if (each) title += " · " + std::string{to_string(view.metric)} + " of each GPU";
  if (!each && view.gpu) title += " · GPU " + std::to_string(*view.gpu);
  if (!each && count < most) title += " · " + std::to_string(count) + " of " + std::to_string(most) + " metrics";
  look.title = {{title, Role::kTitle},
                {whole ? "  whole run" : "  last " + span_text(view.span(model.now)), Role::kMuted}};
  if (look.width >= 90) look.title.push_back({"  [ ] time  ←→ cursor  c metric  g GPU", Role::kMuted});
  return ftxui::vbox(std::move(lines));
}

}  // namespace gputop::ui::panes
