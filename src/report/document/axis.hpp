// What the pictures of a plot share, whatever draws them: round figures at the axes, and marks that do not cover each
// other.
#pragma once

#include <string>
#include <vector>

#include "gputop/report/plot.hpp"

namespace gputop::report {

// The next larger figure that a scale can end with.
double round_top(double value);
// Round figures from 0 to the top, about as many as requested.
std::vector<double> ticks(double top, std::size_t about);
// Seconds, at whole minutes, hours or days if the span is long; the first is 0.
std::vector<double> time_ticks(double span, std::size_t about);

// Marks so close to each other that they share a label.
struct MarkGroup {
  double share = 0;   // position of the first one, as a share of the plot's width
  std::string label;  // "3", "1–4"
  std::string text;   // all of them, one after the other
};
// `width` counts characters of the labels.
std::vector<MarkGroup> grouped_marks(const TimePlot& plot, double width);

// The scale of a plot by batch size.
struct BatchScale {
  double batch = 1;
  double value = 1;
};
BatchScale scale_of(const BatchPlot& plot);

}  // namespace gputop::report
