#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/report/document.hpp"
#include "report/figures.hpp"

namespace gputop {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 230;
constexpr double kLeft = 58;
constexpr double kRight = 14;
constexpr double kTop = 40;
constexpr double kBottom = 26;
constexpr int kGridLines = 4;
constexpr std::size_t kColours = 4;

std::string coordinate(double value) { return format_number(value, 1); }

// The plot's area, in the picture's own units.
struct Area {
  double most_x = 1;
  double most_y = 1;
  [[nodiscard]] double x(double value) const { return kLeft + std::clamp(value / most_x, 0.0, 1.0) * (kWidth - kLeft - kRight); }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - std::clamp(value / most_y, 0.0, 1.0) * (kHeight - kTop - kBottom);
  }
  [[nodiscard]] std::string point(double at, double value) const { return coordinate(x(at)) + "," + coordinate(y(value)) + " "; }
};

std::string text(double x, double y, const std::string& words, const std::string& anchor = "start", const std::string& style = "") {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\"" +
         (style.empty() ? "" : " class=\"" + style + "\"") + ">" + escaped_html(words) + "</text>";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line class=\"" + style + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
}

std::string begin(const std::string& title, const std::string& unit, const Area& area) {
  const auto name = title + ", " + unit;
  std::string svg = "<svg role=\"img\" viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(kHeight) + "\" aria-label=\"" + escaped_html(name) +
                    "\"><title>" + escaped_html(name) + "</title>" + text(kLeft, 16, name, "start", "title");
  for (int i = 0; i <= kGridLines; ++i) {
    const double value = area.most_y * i / kGridLines;
    svg += line(kLeft, area.y(value), kWidth - kRight, area.y(value), "grid") + text(kLeft - 6, area.y(value) + 4, report::figure(area.most_y >= 100 ? std::round(value) : value), "end");
  }
  return svg;
}

std::string style_of(std::size_t series, const std::string& kind) { return kind + " s" + std::to_string(series % kColours); }

// One piece of a curve without holes: its band, then its line.
std::string piece(const std::string& upper, const std::string& lower, const std::string& middle, std::size_t series) {
  return "<polygon class=\"" + style_of(series, "band") + "\" points=\"" + upper + lower + "\"/><polyline class=\"" + style_of(series, "line") +
         "\" points=\"" + middle + "\"/>";
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
    x -= 8 + 6.5 * static_cast<double>(plot.series[i].name.size());
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
  std::size_t mark_number = 0;
  for (const auto& mark : plot.marks) {
    ++mark_number;
    const double x = area.x(to_seconds(mark.at - plot.from));
    svg += "<g><title>" + escaped_html(mark.text) + "</title>" + line(x, kTop - 6, x, kHeight - kBottom, "mark") +
           text(x, kTop - 8, std::to_string(mark_number), "middle", "marktext") + "</g>";
  }
  svg += text(kLeft, kHeight - 8, format_duration(plot.from.time_since_epoch()));
  svg += text(kWidth - kRight, kHeight - 8, format_duration(plot.to.time_since_epoch()), "end");
  return svg + "</svg>";
}

std::string svg_plot(const BatchPlot& plot) {
  Area area{.most_x = 1, .most_y = plot.limit ? *plot.limit * 1.1 : 0};
  for (const auto& point : plot.seen) {
    area.most_x = std::max(area.most_x, point.batch * 1.1);
    area.most_y = std::max(area.most_y, point.value * 1.1);
  }
  for (const auto& point : plot.line) area.most_x = std::max(area.most_x, point.batch);
  if (!plot.limit && !plot.line.empty()) area.most_y = std::max(area.most_y, plot.line.back().high);
  std::string svg = begin(plot.title, plot.unit, area);
  if (plot.limit) {
    svg += line(kLeft, area.y(*plot.limit), kWidth - kRight, area.y(*plot.limit), "limit") +
           text(kWidth - kRight, area.y(*plot.limit) - 4, "of the GPU", "end", "marktext");
  }
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
  for (const auto& point : plot.seen) {
    svg += "<circle class=\"" + style_of(1, "seen") + "\" cx=\"" + coordinate(area.x(point.batch)) + "\" cy=\"" + coordinate(area.y(point.value)) +
           "\" r=\"4\"><title>" + escaped_html("batch " + report::figure(point.batch) + ": " + report::rate(point.value) + " " + plot.unit) +
           "</title></circle>";
  }
  svg += text(kLeft, kHeight - 8, "batch 0") + text(kWidth - kRight, kHeight - 8, "batch " + report::figure(area.most_x), "end");
  return svg + "</svg>";
}

}  // namespace gputop
