// The figures of Facts by name: for users' own rules, and to explain a verdict.
#pragma once

#include <span>
#include <string_view>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/facts.hpp"

namespace gputop {

struct MetricEntry {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  Reading<double> (*read)(const Facts& facts, const Diagnosis& diagnosis);
};

std::span<const MetricEntry> metrics();
// nullptr: there is no such metric.
const MetricEntry* find_metric(std::string_view name);

}  // namespace gputop
