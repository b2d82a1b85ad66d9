#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "report/document.hpp"
#include "report/document/axis.hpp"
#include "report/figures.hpp"

namespace gputop {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 236;
constexpr double kLeft = 58;
constexpr double kRight = 24;
constexpr double kTop = 42;
constexpr double kBottom = 30;
constexpr double kCharacter = 6.5;  // its approximate width
constexpr std::size_t kTicks = 5;
constexpr std::size_t kTimeTicks = 6;
constexpr std::size_t kColours = 4;

std::string coordinate(double value) {
  return format_number(value, 1);
}

// The plot's area, in the picture's own units.
struct Area {
  double most_x = 1;
  double most_y = 1;
  [[nodiscard]] double x(double value) const {
    return kLeft + std::clamp(value / most_x, 0.0, 1.0) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - std::clamp(value / most_y, 0.0, 1.0) * (kHeight - kTop - kBottom);
  }
  [[nodiscard]] std::string point(double at, double value) const {
    return coordinate(x(at)) + "," + coordinate(y(value)) + " ";
  }
};

std::string text(double x,
                 double y,
                 const std::string& words,
                 const std::string& anchor = "start",
                 const std::string& style = "") {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\"" +
         (style.empty() ? "" : " class=\"" + style + "\"") + ">" + escaped_html(words) + "</text>";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line class=\"" + style + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" +
         coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
}

std::string begin(const std::string& title, const std::string& unit, const Area& area) {
  const auto name = title + ", " + unit;
  std::string svg = "<svg role=\"img\" viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(kHeight) +
                    "\" aria-label=\"" + escaped_html(name) + "\"><title>" + escaped_html(name) + "</title>" +
                    text(kLeft, 16, name, "start", "title");
  for (const double value : report::ticks(area.most_y, kTicks)) {
    svg += line(kLeft, area.y(value), kWidth - kRight, area.y(value), "grid") +
           text(kLeft - 6, area.y(value) + 4, report::rate(value), "end");
  }
  return svg;
}

// A short stroke at the axis, and the label below it.
std::string tick(double x, const std::string& words) {
  return line(x, kHeight - kBottom, x, kHeight - kBottom + 4, "grid") +
         text(x, kHeight - kBottom + 17, words, "middle");
}

std::string limit_line(const Area& area, double limit, const std::string& unit) {
  return line(kLeft, area.y(limit), kWidth - kRight, area.y(limit), "limit") +
         text(kLeft + 6, area.y(limit) + 13, "all of the GPU: " + report::figure(limit) + " " + unit, "start",
              "marktext");
}

std::string style_of(std::size_t series, const std::string& kind) {
  return kind + " s" + std::to_string(series % kColours);
}

// One piece of a curve without gaps: its band, then its line.
std::string piece(const std::string& upper, const std::string& lower, const std::string& middle, std::size_t series) {
  return "<polygon class=\"" + style_of(series, "band") + "\" points=\"" + upper + lower + "\"/><polyline class=\"" +
         style_of(series, "line") + "\" points=\"" + middle + "\"/>";
}

std::string curve(const TimePlot::Series& series, const TimePlot& plot, const Area& area, std::size_t which) {
  std::string svg;
  std::string upper;
  std::string lower;
  std::string middle;
  const auto finish = [&] {
    if (!middle.empty()) svg += piece(upper, lower, middle, which);
    upper.clear();
    lower.clear();
    middle.clear();
  };
  const auto count = static_cast<double>(series.columns.size());
  for (std::size_t i = 0; i < series.columns.size(); ++i) {
    const auto& column = series.columns[i];
    if (!column) {
      finish();
      continue;
    }
    const double at = (static_cast<double>(i) + 0.5) / count * to_seconds(plot.to - plot.from);
    upper += area.point(at, column->max);
    lower.insert(0, area.point(at, column->min));
    middle += area.point(at, column->mean);
  }
  finish();
  return svg;
}

std::string legend(const TimePlot& plot) {
  std::string svg;
  double x = kWidth - kRight;
  for (std::size_t i = plot.series.size(); i-- > 0;) {
    if (plot.series[i].name == plot.unit) continue;
    svg += text(x, 16, plot.series[i].name, "end");
    x -= 8 + kCharacter * static_cast<double>(plot.series[i].name.size());
    svg += line(x - 14, 12, x - 2, 12, style_of(i, "line"));
    x -= 26;
  }
  return svg;
}

}  // namespace

std::string svg_plot(const TimePlot& plot) {
  const Area area{.most_x = std::max(1e-9, to_seconds(plot.to - plot.from)), .most_y = plot.top};
  std::string svg = begin(plot.title, plot.unit, area) + legend(plot);
  for (std::size_t i = 0; i < plot.series.size(); ++i) svg += curve(plot.series[i], plot, area, i);
  if (plot.limit) svg += limit_line(area, *plot.limit, plot.unit);
  for (const auto& mark : plot.marks) {
    const double x = area.x(to_seconds(mark.at - plot.from));
    svg += line(x, kTop - 6, x, kHeight - kBottom, "mark");
  }
  for (const auto& group : report::grouped_marks(plot, (kWidth - kLeft - kRight) / kCharacter)) {
    svg += "<g><title>" + escaped_html(group.text) + "</title>" +
           text(area.x(group.share * area.most_x), kTop - 8, group.label, "start", "marktext") + "</g>";
  }
  for (const double at : report::time_ticks(area.most_x, kTimeTicks))
    svg += tick(area.x(at), format_duration(plot.from.time_since_epoch() + from_seconds(at)));
  return svg + "</svg>";
}

std::string svg_plot(const BatchPlot& plot) {
  const auto scale = report::scale_of(plot);
  const Area area{.most_x = scale.batch, .most_y = scale.value};
  std::string svg = begin(plot.title, plot.unit, area);
  if (plot.limit) svg += limit_line(area, *plot.limit, plot.unit);
  std::string upper;
  std::string lower;
  std::string middle;
  for (const auto& point : plot.line) {
    if (point.low > area.most_y) break;
    upper += area.point(point.batch, point.high);
    lower.insert(0, area.point(point.batch, point.low));
    middle += area.point(point.batch, point.value);
  }
  if (!middle.empty()) svg += piece(upper, lower, middle, 0);
  double last = -1e9;  // where the last label was written
  std::string seen;
  for (const auto& point : plot.seen) {
    seen += area.point(point.batch, point.value);
    const auto words = report::figure(point.batch);
    const double x = area.x(point.batch);
    if (x - last < kCharacter * static_cast<double>(words.size() + 2)) continue;
    svg += tick(x, words);
    last = x;
  }
  if (plot.line.empty()) svg += "<polyline class=\"" + style_of(1, "line") + "\" points=\"" + seen + "\"/>";
  const double end = area.x(scale.batch);
  if (end - last > 60) svg += tick(end, report::figure(scale.batch));
  svg += text(kLeft, kHeight - kBottom + 17, "batch size", "middle");
  for (const auto& point : plot.seen) {
    svg += "<circle class=\"" + style_of(1, "seen") + "\" cx=\"" + coordinate(area.x(point.batch)) + "\" cy=\"" +
           coordinate(area.y(point.value)) + "\" r=\"4\"><title>" +
           escaped_html("batch " + report::figure(point.batch) + ": " + report::rate(point.value) + " " + plot.unit) +
           "</title></circle>" +
           text(area.x(point.batch), area.y(point.value) - 8, report::rate(point.value),
                area.x(point.batch) > kWidth - 80 ? "end" : "middle");
  }
  return svg + "</svg>";
}

}  // namespace gputop
