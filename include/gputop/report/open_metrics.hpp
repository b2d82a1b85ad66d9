// Model → metrics for Prometheus: sample lines, and the page made of them. Pure.
//
// Base units, ratios 0…1; unknown values have no line. GPUs are named by their UUID. A run's lines carry `run`
// (gputop's id), `job_id` (the launcher's, otherwise the run's own) and, if it is one, `rank`. The label is not called
// "job": Prometheus uses that name for a scrape target and would rename ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

// The machine: GPUs, their users, the host.
std::string machine_metrics(const Model& model);
// The run of this Model; "" without one.
std::string run_metrics(const Model& model);

enum class MetricFormat {
  kText,         // Prometheus' text format 0.0.4, which node_exporter's textfile collector also reads
  kOpenMetrics,  // 1.0.0
};

// Lines of several sources as one page: each family once, with HELP and TYPE, in the order of families.def. Lines of
// unknown families and lines that are no samples are left out; if a series occurs twice, the first line counts.
class MetricPage {
 public:
  MetricPage();
  void add(std::string_view lines);
  [[nodiscard]] std::string text(MetricFormat format) const;

 private:
  std::vector<std::vector<std::string>> lines_;  // by family
};

// A label's value: backslash, quote and newline escaped; invalid UTF-8 and characters that could move a cursor made
// visible.
std::string label_value(std::string_view text);

}  // namespace gputop
