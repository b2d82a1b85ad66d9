#include "report/document/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gputop::report {
namespace {

// One of 1, 2, 2.5, 5 times a power of ten.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 2.5, 5.0}) {
    if (least <= power * step * (1 + 1e-9)) return power * step;
  }
  return power * 10;
}

std::vector<double> multiples(double step, double top) {
  std::vector<double> found;
  for (std::size_t i = 0; static_cast<double>(i) * step <= top * (1 + 1e-9); ++i)
    found.push_back(static_cast<double>(i) * step);
  return found;
}

}  // namespace

double round_top(double value) {
  if (!(value > 0)) return 1;
  const double step = round_step(value / 5);
  return step * std::ceil(value / step * (1 - 1e-9));
}

std::vector<double> ticks(double top, std::size_t about) {
  if (!(top > 0) || about == 0) return {0};
  return multiples(round_step(top / static_cast<double>(about)), top);
}

std::vector<double> time_ticks(double span, std::size_t about) {
  static constexpr std::array<double, 18> kSteps{1,   2,   5,    10,   15,   30,    60,    120,   300,
                                                 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400};
  if (!(span > 0) || about == 0) return {0};
  const double least = span / static_cast<double>(about);
  const auto* const fits =
      std::find_if(kSteps.begin(), kSteps.end(), [&](double step) { return step >= least * (1 - 1e-9); });
  if (fits != kSteps.end() && (*fits > 1 || least >= 1)) return multiples(*fits, span);
  return multiples(least < 1 ? round_step(least) : 86400 * std::max(1.0, round_step(least / 86400)), span);
}

std::vector<MarkGroup> grouped_marks(const TimePlot& plot, double width) {
  const double span = to_seconds(plot.to - plot.from);
  const auto label = [](std::size_t first, std::size_t last) {
    return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
  };
  const auto room = [](std::size_t first, std::size_t last) {  // characters, including a gap to the next label
    return std::to_string(first).size() + (first == last ? 0 : 1 + std::to_string(last).size()) + 1;
  };
  std::vector<MarkGroup> groups;
  std::size_t first = 0;
  for (std::size_t i = 0; i < plot.marks.size(); ++i) {
    const double share = to_seconds(plot.marks[i].at - plot.from) / span;
    if (!(share >= 0 && share <= 1)) continue;
    const bool joins = !groups.empty() && (share - groups.back().share) * width < static_cast<double>(room(first, i));
    if (joins) {
      groups.back().label = label(first, i + 1);
      groups.back().text += "; " + plot.marks[i].text;
    } else {
      first = i + 1;
      groups.push_back({share, label(first, first), plot.marks[i].text});
    }
  }
  return groups;
}

BatchScale scale_of(const BatchPlot& plot) {
  BatchScale scale{.batch = 1, .value = plot.limit.value_or(0)};
  for (const auto& point : plot.seen) {
    scale.batch = std::max(scale.batch, point.batch);
    scale.value = std::max(scale.value, point.value);
  }
  for (const auto& point : plot.line) scale.batch = std::max(scale.batch, point.batch);
  if (!plot.limit && !plot.line.empty()) scale.value = std::max(scale.value, plot.line.back().high);
  scale.value = round_top(scale.value);
  return scale;
}

}  // namespace gputop::report
