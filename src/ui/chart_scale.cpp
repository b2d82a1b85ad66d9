#include "ui/chart_scale.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "ui/values.hpp"

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
    if (column) most = std::max(most, static_cast<double>(column->max));
  }
  return most;
}

Reading<double> power_limit(const Model& model, const Look& look) {
  Reading<double> most;
  for (const auto& track : model.gpus) {
    if (look.view.chart.gpu && track.now.index != *look.view.chart.gpu) continue;
    if (track.now.power_limit) most = std::max(most.value_or(0), track.now.power_limit->value());
  }
  return most;
}

std::string axis_number(const Look& look, ChartMetric metric, double value) {
  if (metric == ChartMetric::kPcie) {
    auto text = short_bytes(Bytes{static_cast<std::uint64_t>(value)});
    if (const auto at = text.find(".0"); at != std::string::npos) text.erase(at, 2);
    return text;
  }
  if (metric == ChartMetric::kTemperature) {
    const auto text = temperature_text(Celsius{value}, look.settings.temperature_unit);
    return text.substr(0, text.find(' '));
  }
  if (value >= 10'000) return format_number(value / 1000, 0) + "k";
  return format_number(value, value >= 10 || value == 0 ? 0 : value >= 0.1 ? 1 : 3);
}

}  // namespace

std::string chart_value(const Model& model, const Look& look, ChartMetric metric, double value) {
  switch (metric) {
    case ChartMetric::kThroughput:
      return format_throughput(value, model.run ? model.run->throughput_unit : "");
    case ChartMetric::kPower: return format_number(value, 0) + " W";
    case ChartMetric::kTemperature: return temperature_text(Celsius{value}, look.settings.temperature_unit);
    case ChartMetric::kPcie: return format_rate(BytesPerSecond{value});
    case ChartMetric::kLoss: return format_number(value, value < 10 ? 3 : 1);
    default: return format_number(value, 0) + " %";
  }
}

ChartScale chart_scale(const Model& model,
                       const Look& look,
                       ChartMetric metric,
                       const std::vector<std::optional<ChartColumn>>& columns) {
  ChartScale scale;
  if (metric == ChartMetric::kPower)
    scale.top = std::max(power_limit(model, look).value_or(0), round_up(highest(columns), 10));
  if (metric == ChartMetric::kPower && power_limit(model, look) && highest(columns) <= *power_limit(model, look)) {
    scale.top = *power_limit(model, look);
  }
  if (metric == ChartMetric::kPcie) scale.top = round_up_bytes(highest(columns));
  if (metric == ChartMetric::kLoss) scale.top = round_up(highest(columns), 0.001);
  if (metric == ChartMetric::kThroughput) scale.top = round_up(highest(columns), 0.01);
  // The unit stands in the title; the axis has room for the numbers only.
  scale.top_text = axis_number(look, metric, scale.top);
  scale.middle_text = axis_number(look, metric, scale.top / 2);
  return scale;
}

}  // namespace gputop::ui
