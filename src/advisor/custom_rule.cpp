#include "advisor/custom_rule.hpp"

#include "advisor/phrase.hpp"
#include "gputop/advisor/metrics.hpp"

namespace gputop {

std::optional<Finding> apply(const CustomRule& rule, const Situation& s) {
  const auto* metric = find_metric(rule.metric);
  if (metric == nullptr) return std::nullopt;
  const auto value = metric->read(s.facts, s.diagnosis);
  if (!value || !(rule.above ? s.above(*value, rule.limit) : s.below(*value, rule.limit))) return std::nullopt;
  Finding finding{.id = rule.id, .severity = rule.severity, .title = rule.message};
  const std::string unit = metric->unit.empty() ? "" : " " + std::string{metric->unit};
  finding.why = rule.metric + " is " + number_words(*value) + unit + ", " + (rule.above ? "above " : "below ") +
                number_words(rule.limit) + unit;
  finding.evidence.push_back({rule.metric, *value, std::string{metric->unit}, rule.limit});
  finding.confidence = 1;
  return finding;
}

}  // namespace gputop
