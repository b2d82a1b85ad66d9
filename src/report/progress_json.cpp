// A run's progress and results, as it printed them: the part of the JSON that advice and report share.
#include <cmath>

#include "report/json_values.hpp"

namespace gputop::report {
namespace {

Json finite_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

template <class T>
Json known_json(const Known<T>& fact) {
  if (!fact) return nullptr;
  if constexpr (std::is_same_v<T, Duration>) {
    return to_seconds(fact->value);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return fact->value.value();
  } else if constexpr (std::is_same_v<T, double>) {
    return finite_json(fact->value);
  } else {
    return fact->value;
  }
}

std::string_view better_words(Better better) {
  return better == Better::kHigher ? "higher" : better == Better::kLower ? "lower" : "unknown";
}

}  // namespace

Json progress_json(const Facts& facts) {
  if (!facts.has_run) return nullptr;
  const auto& step = facts.step;
  return {{"step", known_json(step.step)},
          {"total_steps", known_json(step.total_steps)},
          {"epoch", known_json(step.epoch)},
          {"epochs", known_json(step.epochs)},
          {"loss", known_json(step.loss)},
          {"eta_seconds", known_json(step.eta)},
          {"data_time_seconds", known_json(step.data_time)},
          {"printed_memory_bytes", known_json(step.printed_memory)}};
}

Json efficiency_json(const Facts& facts) {
  if (!facts.has_run) return nullptr;
  const auto& efficiency = facts.efficiency;
  const auto text = [](const Known<std::string>& known) { return known ? text_json(known->value) : Json(nullptr); };
  return {{"mfu", known_json(efficiency.mfu)},
          {"flops_per_step", known_json(efficiency.step_flops)},
          {"flops_by", text(efficiency.flops_by)},
          {"flops_per_second", known_json(efficiency.flops_per_second)},
          {"peak_flops_per_second", known_json(efficiency.peak)},
          {"peak_by", text(efficiency.peak_by)},
          {"calibrated_share", known_json(efficiency.calibrated_share)},
          {"energy_wh", known_json(efficiency.energy)},
          {"wh_per_1000_samples", known_json(efficiency.energy_per_1000)},
          {"cost", known_json(efficiency.cost)}};
}

Json metrics_json(const std::vector<MetricTrack>& metrics) {
  Json list = Json::array();
  for (const auto& metric : metrics) {
    list.push_back({{"name", metric.name},
                    {"data", metric.held_out ? "held out" : "training"},
                    {"unit", metric.percent ? Json("%") : Json(nullptr)},
                    {"better", better_words(metric.better)},
                    {"first", finite_json(metric.first)},
                    {"last", finite_json(metric.last)},
                    {"best", finite_json(metric.best)},
                    {"best_epoch", metric.epoch ? Json(*metric.epoch) : Json(nullptr)},
                    {"best_step", metric.step ? Json(*metric.step) : Json(nullptr)},
                    {"count", metric.count}});
  }
  return list;
}

}  // namespace gputop::report
