// A metric's vertical axis: where it ends and how its numbers are written.
#pragma once

#include <string>
#include <vector>

#include "ui/chart_data.hpp"
#include "ui/look.hpp"

namespace gputop::ui {

struct ChartScale {
  double top = 100;  // the value at the upper edge; the lower edge is 0
  std::string top_text;
  std::string middle_text;
};

ChartScale chart_scale(const Model& model,
                       const Look& look,
                       ChartMetric metric,
                       const std::vector<std::optional<ChartColumn>>& columns);
// A value of this metric with its unit.
std::string chart_value(const Model& model, const Look& look, ChartMetric metric, double value);

}  // namespace gputop::ui
