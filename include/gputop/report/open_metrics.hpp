// Model → metrics for Prometheus: sample lines, and the page they are put together to. Pure.
//
// Base units, ratios 0…1; what is unknown has no line. GPUs are named by their UUID. A run's lines carry `run` (gputop's
// id), `job_id` (the launcher's, else the run's own) and, where it is one, `rank`. The label is not called "job": that
// one is Prometheus' own name for a scrape target, and it renames ours when they meet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop {

// The machine: GPUs, who is on them, the host.
std::string machine_metrics(const Model& model);
// The run this Model is of; "" without one.
std::string run_metrics(const Model& model);

enum class MetricFormat {
  kText,         // Prometheus' text format 0.0.4: what node_exporter's textfile collector reads, too
  kOpenMetrics,  // 1.0.0
};

// Lines of several sources as one page: each family once, with HELP and TYPE, in the order of families.def. A line of no
// known family, or that is no sample, is left out; of two lines for one series, the first is taken.
class MetricPage {
 public:
  MetricPage();
  void add(std::string_view lines);
  [[nodiscard]] std::string text(MetricFormat format) const;

 private:
  std::vector<std::vector<std::string>> lines_;  // by family
};

// A label's value: backslash, quote and newline escaped; what is no UTF-8 or could move a cursor made visible.
std::string label_value(std::string_view text);

}  // namespace gputop
