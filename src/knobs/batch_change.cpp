#include "gputop/knobs/batch_change.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/knobs/value.hpp"
#include "knobs/numbers.hpp"

namespace gputop::knobs {
namespace {

double four_digits(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

bool is_sgd(OptimizerKind optimizer) {
  return optimizer == OptimizerKind::kSgd || optimizer == OptimizerKind::kSgdMomentum;
}

struct LearningRateRule {
  double factor;
  std::string name;  // for people
};
LearningRateRule rule_for(const std::optional<OptimizerKind>& optimizer, double ratio) {
  if (!optimizer || *optimizer == OptimizerKind::kOther) {
    return {std::sqrt(ratio), "square-root rule (the optimizer is not known; for SGD it is linear)"};
  }
  const std::string who = " for " + std::string{to_string(*optimizer)};
  if (is_sgd(*optimizer)) return {ratio, "linear rule" + who};
  return {std::sqrt(ratio), "square-root rule" + who};
}

std::string times(std::int64_t batch, std::int64_t accumulation) {
  return std::to_string(batch) + " × " + std::to_string(accumulation);
}

// The count of steps that brings batch × count nearest to `effective`.
std::int64_t nearest_count(std::int64_t effective, std::int64_t batch) {
  const std::int64_t below = std::max<std::int64_t>(1, effective / batch);
  const std::int64_t above = below + 1;
  return effective - below * batch <= above * batch - effective ? below : above;
}

// All steps see as many samples as before.
void scale_steps(const BatchSettings& now, double ratio, BatchChange& change) {
  const auto scaled = [&](std::int64_t steps) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(steps) / ratio));
  };
  const auto take = [&](const char* name, const std::optional<std::int64_t>& steps, std::optional<std::int64_t>& into) {
    if (!steps || *steps <= 0 || scaled(*steps) == *steps) return;  // 0 and -1 mean "none"
    into = scaled(*steps);
    change.notes.push_back(std::string{name} + " " + std::to_string(*steps) + " → " + std::to_string(*into) +
                           ", so that as many samples are seen");
  };
  take("warmup_steps", now.warmup_steps, change.warmup_steps);
  take("max_steps", now.max_steps, change.max_steps);
}

}  // namespace

double scaled_rate(double rate, double factor) {
  return four_digits(rate * factor);
}

BatchChange follow_batch(const BatchSettings& now,
                         std::int64_t batch,
                         BatchPolicy policy,
                         std::optional<std::int64_t> accumulation) {
  BatchChange change;
  const bool keep = policy == BatchPolicy::kKeepEffective && !accumulation;
  const std::int64_t before = now.batch * now.accumulation;
  std::int64_t count = accumulation.value_or(now.accumulation);
  if (keep && now.can_accumulate) count = nearest_count(before, batch);
  const std::int64_t after = batch * count;
  if (count != now.accumulation && !accumulation) change.accumulation = count;

  // Where the project states the product (DeepSpeed, Megatron), it must go on being the product.
  const auto ranks = static_cast<std::int64_t>(now.ranks);
  if (now.global_batch && keep && !now.can_accumulate && *now.global_batch % (batch * ranks) == 0) {
    change.notes.push_back("the effective batch stays " + std::to_string(*now.global_batch) +
                           ": the framework accumulates as often as it takes");
    return change;
  }
  if (now.global_batch && after != before) {
    const std::int64_t scaled = now.can_accumulate || *now.global_batch == before * ranks
                                    ? after * ranks
                                    : std::max<std::int64_t>(1, *now.global_batch / (batch * ranks)) * batch * ranks;
    if (scaled != *now.global_batch) change.global_batch = scaled;
  }

  if (after == before) {
    if (change.accumulation) {
      change.notes.push_back("the effective batch stays " + std::to_string(after) + " (" +
                             times(now.batch, now.accumulation) + " → " + times(batch, count) +
                             "), the learning rate is untouched");
    }
    return change;
  }
  const double ratio = static_cast<double>(after) / static_cast<double>(before);
  std::string note = "the effective batch changes from " + std::to_string(before) + " to " + std::to_string(after) +
                     " (" + times(now.batch, now.accumulation) + " → " + times(batch, count) + ")";
  if (keep && !now.can_accumulate) {
    note += ": no place for gradient accumulation was found";
  } else if (keep) {
    note += ": no multiple of " + std::to_string(batch) + " is " + std::to_string(before);
  }
  change.notes.push_back(std::move(note));

  const LearningRateRule rule = rule_for(now.optimizer, ratio);
  if (!now.learning_rate) {
    change.notes.push_back("no learning rate was found; the " + rule.name + " would multiply it by " +
                           shortest(four_digits(rule.factor)));
    if (policy == BatchPolicy::kScale) scale_steps(now, ratio, change);
    return change;
  }
  const double scaled = scaled_rate(*now.learning_rate, rule.factor);
  const std::string step =
      "learning rate " + shortest(*now.learning_rate) + " → " + shortest(scaled) + " by the " + rule.name;
  if (policy == BatchPolicy::kScale) {
    change.learning_rate = scaled;
    change.learning_rate_factor = rule.factor;
    change.notes.push_back(step);
    scale_steps(now, ratio, change);
  } else {
    change.notes.push_back("the learning rate is untouched (scaled with the batch: " + step + ")");
  }
  return change;
}

}  // namespace gputop::knobs
