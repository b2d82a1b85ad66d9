// Plots as values, and as pictures: braille for a terminal or Markdown, SVG for a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// An event at a moment of the plot.
struct PlotMark {
  Instant at;
  std::string text;
};

struct TimePlot {
  struct Column {
    double min = 0;
    double mean = 0;
    double max = 0;
  };
  struct Series {
    std::string name;
    std::vector<Reading<Column>> columns;  // equal times from the plot's beginning to its end
  };
  std::string title;
  std::string unit;
  Instant from;
  Instant to;
  double top = 100;       // of the scale, which starts at 0
  Reading<double> limit;  // what is available
  std::vector<Series> series;
  std::vector<PlotMark> marks;
};

// A quantity against the batch size: observations, and the estimator's line with its band.
struct BatchPlot {
  struct Point {
    double batch = 0;
    double value = 0;
  };
  struct LinePoint {
    double batch = 0;
    double low = 0;
    double value = 0;
    double high = 0;
  };
  std::string title;
  std::string unit;
  std::vector<Point> seen;
  std::vector<LinePoint> line;  // empty: no model
  Reading<double> limit;        // what is available
};

// `width` × `height` characters, with a scale on the left, a time axis below, and a row of marks; all series in one.
// The defaults fit into 80 columns.
std::string braille_plot(const TimePlot& plot, std::size_t width = 68, std::size_t height = 8);
std::string braille_plot(const BatchPlot& plot, std::size_t width = 68, std::size_t height = 10);

// <svg>…</svg>, all text escaped, colors by the page's classes (findings_html has them).
std::string svg_plot(const TimePlot& plot);
std::string svg_plot(const BatchPlot& plot);

}  // namespace gputop
