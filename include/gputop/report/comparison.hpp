// Recordings against the first of them: the same phase of each, and the significance of the difference.
#pragma once

#include <string>
#include <vector>

#include "gputop/report/findings.hpp"

namespace gputop {

struct ComparedMetric {
  std::string name;
  std::string unit;
  std::vector<Reading<Estimated>> means;         // one per recording
  std::vector<Reading<Difference>> differences;  // to the first; its own is unknown
};

// A setting or a circumstance that differs between them; "": unknown.
struct ComparedSetting {
  std::string name;
  std::vector<std::string> values;
};

// A result of each, as last printed; unknown if it was not.
struct ComparedResult {
  std::string name;
  int better = 0;  // +1: higher, -1: lower, 0: not known
  std::vector<Reading<double>> last;
  std::vector<Reading<double>> best;
};

struct Comparison {
  std::vector<std::string> names;  // of the recordings; "A: train.py", …
  std::vector<Duration> steady;    // length of the compared phase
  std::vector<ComparedMetric> metrics;
  std::vector<ComparedSetting> settings;
  std::vector<ComparedResult> results;
  std::string verdict;  // one line
  bool simulated = false;
  std::vector<std::string> notes;
  std::vector<TimePlot> plots;
  std::vector<BatchPlot> batch_plots;  // if they had several batch sizes
};

// At least one; the others are compared with the first.
Comparison compare_findings(const std::vector<Findings>& all);

std::string comparison_markdown(const Comparison& comparison);
std::string comparison_html(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace gputop
