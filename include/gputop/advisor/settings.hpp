// The user's settings of the advisor: thresholds, disabled rules, custom rules.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gputop/advisor/finding.hpp"
#include "gputop/advisor/thresholds.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// A rule that YAML can express: one metric, one limit, a time and a message.
struct CustomRule {
  std::string id;
  std::string metric;  // a name of metrics.def
  double limit = 0;
  bool above = true;  // else below
  Duration hold{};
  std::string message;
  Severity severity = Severity::kWarning;
  bool operator==(const CustomRule&) const = default;
};

// What a good run looks like according to its user: one metric and its range.
struct Expectation {
  std::string metric;  // a name of metrics.def
  double low = 0;
  double high = 0;
  bool operator==(const Expectation&) const = default;
};

struct AdvisorSettings {
  Thresholds thresholds;
  std::set<std::string, std::less<>> off;  // ids
  std::vector<CustomRule> custom;
  std::vector<Expectation> expected;
  bool operator==(const AdvisorSettings&) const = default;
};

}  // namespace gputop
