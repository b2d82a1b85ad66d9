#include "ui/chart_scale.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "ui/draw.hpp"

namespace gputop::ui {
namespace {

// The next of 1, 2, 5, 10, … times the step that holds the value.
double round_up(double value, double step) {
  if (!(value > 0)) return step;
  while (true) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (value <= step * factor) return step * factor;
    }
    step *= 10;
  }
}

// Bytes grow by powers of two, so that the labels are whole numbers of a unit.
double round_up_bytes(double value) {
  double top = 1 << 20;
  while (top < value && top < 1e18) top *= 2;
  return top;
}

double highest(const std::vector<std::optional<ChartColumn>>& columns) {
  double most = 0;
  for (const auto& column : columns) {
    if (column) most = std::max(most, static_cast<double>(column->mean));
  }
  return most;
}

Reading<double> power_limit(const PaneContext& context) {
  Reading<double> most;
  for (const auto& track : context.model.gpus) {
    if (context.view.chart.gpu && track.now.index != *context.view.chart.gpu) continue;
    if (track.now.power_limit) most = std::max(most.value_or(0), track.now.power_limit->value());
  }
  return most;
}

}  // namespace

std::string chart_value(const PaneContext& context, ChartMetric metric, double value) {
  switch (metric) {
    case ChartMetric::kThroughput:
      return format_throughput(value, context.model.run ? context.model.run->throughput_unit : "");
    case ChartMetric::kPower: return format_number(value, 0) + " W";
    case ChartMetric::kTemperature: return temperature_text(Celsius{value}, context.settings.temperature_unit);
    case ChartMetric::kPcie: return format_rate(BytesPerSecond{value});
    default: return format_number(value, 0) + " %";
  }
}

ChartScale chart_scale(const PaneContext& context,
                       ChartMetric metric,
                       const std::vector<std::optional<ChartColumn>>& columns) {
  ChartScale scale;
  if (metric == ChartMetric::kPower)
    scale.top = std::max(power_limit(context).value_or(0), round_up(highest(columns), 10));
  if (metric == ChartMetric::kPower && power_limit(context) && highest(columns) <= *power_limit(context)) {
    scale.top = *power_limit(context);
  }
  if (metric == ChartMetric::kPcie) scale.top = round_up_bytes(highest(columns));
  if (metric == ChartMetric::kThroughput) {
    // The unit stands beside the title; the axis has room for the numbers only.
    scale.top = round_up(highest(columns), 0.01);
    scale.top_text = format_throughput(scale.top, "");
    scale.middle_text = format_throughput(scale.top / 2, "");
    return scale;
  }
  scale.top_text = chart_value(context, metric, scale.top);
  scale.middle_text = chart_value(context, metric, scale.top / 2);
  return scale;
}

}  // namespace gputop::ui
