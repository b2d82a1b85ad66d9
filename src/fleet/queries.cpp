// The queries to Prometheus.
#include <algorithm>
#include <array>
#include <set>

#include "fleet/metrics.hpp"

namespace gputop::fleet {
namespace {

// In addition to the figures of a GPU (gpu_metrics.def).
constexpr auto kOthers = std::to_array<std::string_view>({
    "up",
    "gputop_gpu_info",
    "gputop_gpu_up",
    "gputop_gpu_slowdown_temperature_celsius",
    "gputop_gpu_throttled",
    "gputop_gpu_processes",
    "gputop_gpu_xid_errors_total",
    "gputop_host_cpu_ratio",
    "gputop_host_memory_used_bytes",
    "gputop_host_memory_total_bytes",
    "gputop_run_info",
    "gputop_run_alive",
    "gputop_run_gpu_info",
    "gputop_run_step",
    "gputop_run_planned_steps",
    "gputop_run_samples_per_second",
    "gputop_run_tokens_per_second",
    "gputop_run_steps_per_second",
    "gputop_run_input_wait_ratio",
    "gputop_rank_input_wait_ratio",
    "gputop_run_loss",
    "gputop_run_still_seconds",
    "gputop_run_remaining_seconds",
    "gputop_run_advice_info",
    "DCGM_FI_DEV_XID_ERRORS",
    "DCGM_FI_DEV_XID_ERROR",
    "DCGM_FI_DEV_SLOWDOWN_TEMP",
    "DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS",
    "nvidia_smi_gpu_info",
    "node_uname_info",
    "node_memory_MemAvailable_bytes",
    "node_memory_MemTotal_bytes",
    "node_textfile_mtime_seconds",
});

std::set<std::string_view> names_of(const std::vector<Sample>& samples) {
  std::set<std::string_view> names;
  for (const auto& sample : samples) names.insert(sample.name());
  return names;
}

}  // namespace

std::string now_query() {
  std::string names;
  for (const auto name : kOthers) names.append(name).append("|");
  for (const auto& metric : kMetrics) {
    if (metric.figure != Figure::kNone) names.append(metric.name).append("|");
  }
  names.pop_back();
  return "{__name__=~\"" + names + "\"}";
}

std::string cpu_query() {
  return "1 - avg by (instance) (rate(node_cpu_seconds_total{mode=\"idle\"}[5m]))";
}

// Only for series that existed at the beginning of the half hour: a job that has just started has not been idle yet.
std::vector<std::string> recent_queries(const std::vector<Sample>& now) {
  const auto names = names_of(now);
  std::vector<std::string> queries;
  for (const auto& metric : kMetrics) {
    if (metric.figure != Figure::kUtilization || !names.contains(metric.name)) continue;
    const std::string name{metric.name};
    // avg_over_time drops the name, so its factor must be part of the query.
    queries.push_back("label_replace(avg_over_time(" + name + "[30m]) and " + name + " offset 25m, \"origin\", \"" +
                      name + "\", \"instance\", \".*\")");
  }
  return queries;
}

std::vector<std::string> xid_queries(const std::vector<Sample>& now) {
  const auto names = names_of(now);
  std::vector<std::string> queries;
  if (names.contains("gputop_gpu_xid_errors_total"))
    queries.emplace_back("increase(gputop_gpu_xid_errors_total[1h]) > 0");
  for (const std::string name : {"DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_XID_ERROR"}) {
    if (names.contains(name)) queries.push_back("changes(" + name + "[1h]) > 0 and " + name + " > 0");
  }
  return queries;
}

}  // namespace gputop::fleet
