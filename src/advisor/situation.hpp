// The input of a rule: the facts, the limits, the diagnosis, the step model, and whether its finding is already shown.
#pragma once

#include <optional>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/finding.hpp"
#include "gputop/advisor/step_model.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

struct Situation {
  const Facts& facts;
  const Thresholds& limits;
  const Diagnosis& diagnosis;
  const StepModel& model;
  bool troubled = false;  // an earlier rule found something to change
  bool shown = false;  // this rule's finding is on the screen: it disappears only when its figure is clearly good again

  [[nodiscard]] bool above(double value, double limit) const {
    return value >= (shown ? limit * (1 - limits.hysteresis / 100) : limit);
  }
  [[nodiscard]] bool below(double value, double limit) const {
    return value < (shown ? limit * (1 + limits.hysteresis / 100) : limit);
  }
  // Unknown is neither above nor below.
  [[nodiscard]] bool above(const Reading<Percent>& value, double limit) const {
    return value && above(value->value(), limit);
  }
  [[nodiscard]] bool share_above(const Reading<double>& share, double limit_percent) const {
    return share && above(*share * 100, limit_percent);
  }
  // The share of a step's time, in percent.
  [[nodiscard]] double percent(StepPart part) const { return diagnosis.share(part) * 100; }
};

using Rule = std::optional<Finding> (*)(const Situation&);

namespace rules {
#define RULE(id, failure, meaning) std::optional<Finding> id(const Situation& situation);
#include "advisor/rules.def"
#undef RULE
}  // namespace rules

}  // namespace gputop
