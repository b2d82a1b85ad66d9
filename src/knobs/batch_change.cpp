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
  if (!now.keeps_steps) {
    take("max_steps", now.max_steps, change.max_steps);
  } else if (now.max_steps && *now.max_steps > 0) {
    change.notes.emplace_back("max_steps is left alone: the learning rate falls at steps that are listed");
  }
}

}  // namespace

double scaled_rate(double rate, double factor) {
  return four_digits(rate * factor);
}

namespace {

// The samples of one optimizer step, before and after, and what that means for the counts.
struct Effective {
  std::int64_t before = 1;
  std::int64_t after = 1;
  std::string of_before;  // "8 × 4", for people
  std::string of_after;
  std::string why;  // it did not stay, where it should have
};

std::string text(std::int64_t number) {
  return std::to_string(number);
}

Error do_not_go_together(std::string what) {
  return {Error::Kind::kInvalid, std::move(what)};
}

// The framework accumulates as often as it takes to fill the global batch.
Result<Effective> fill_global(const BatchSettings& now, const BatchWish& wish, BatchPolicy policy, BatchChange& change) {
  const std::int64_t batch = wish.batch.value_or(now.batch);
  const std::int64_t global = wish.global_batch.value_or(*now.global_batch);
  const auto ranks = static_cast<std::int64_t>(now.ranks.value_or(1));
  if (global % (batch * ranks) != 0) {
    const std::string of_ranks = ranks > 1 ? " × " + text(ranks) + " ranks" : "";
    return do_not_go_together("a global batch of " + text(global) + " is no multiple of " + text(batch) + of_ranks +
                              ": the framework would refuse it; choose a batch that divides it, or change "
                              "global_batch_size in the same command");
  }
  if (!wish.global_batch) {
    change.notes.push_back("the effective batch stays " + text(global) +
                           ", as the global batch says: the framework accumulates as often as it takes");
    if (policy == BatchPolicy::kScale) {
      change.notes.emplace_back("to scale it and the learning rate, change global_batch_size");
    }
  }
  return Effective{*now.global_batch, global, text(*now.global_batch), text(global), ""};
}

// All three are stated (DeepSpeed): one is always the product of the others and the ranks.
Result<Effective> keep_product(const BatchSettings& now, const BatchWish& wish, BatchPolicy policy, BatchChange& change) {
  const std::int64_t before = *now.global_batch;
  const std::int64_t each = now.batch * now.accumulation;
  if (before % each != 0) {
    return do_not_go_together("the global batch of " + text(before) + " is no multiple of " +
                              times(now.batch, now.accumulation) + ": which of them counts is not clear");
  }
  const std::int64_t ranks = before / each;
  const std::int64_t batch = wish.batch.value_or(now.batch);
  std::int64_t count = wish.accumulation.value_or(now.accumulation);
  const bool keeps = !wish.accumulation && (wish.global_batch || policy == BatchPolicy::kKeepEffective);
  if (keeps) count = nearest_count(wish.global_batch.value_or(before), batch * ranks);
  const std::int64_t after = batch * count * ranks;
  if (wish.global_batch && after != *wish.global_batch) {
    return do_not_go_together("a global batch of " + text(*wish.global_batch) + " is no multiple of " + text(batch) +
                              " × " + text(ranks) + " ranks");
  }
  if (count != now.accumulation && !wish.accumulation) change.accumulation = count;
  if (after != before && !wish.global_batch) change.global_batch = after;
  const std::string why = keeps && after != before ? text(before) + " is no multiple of " + text(batch) : "";
  return Effective{before, after, times(now.batch, now.accumulation), times(batch, count), why};
}

// accumulate = max(round(nominal / batch), 1), as the run works it out.
Effective by_nominal(const BatchSettings& now, std::int64_t batch, BatchChange& change) {
  const auto ranks = static_cast<std::int64_t>(now.ranks.value_or(1));
  const auto count = [&](std::int64_t each) {
    const double ratio = static_cast<double>(*now.nominal) / static_cast<double>(each * ranks);
    return std::max<std::int64_t>(1, std::llround(ratio));
  };
  const std::int64_t before = now.batch * count(now.batch);
  const std::int64_t after = batch * count(batch);
  if (before == after && count(batch) != count(now.batch)) {
    change.notes.push_back("the effective batch stays " + text(after * ranks) + ": " + now.nominal_by + " accumulates up to " +
                           text(*now.nominal) + " samples by itself");
  }
  return {before, after, times(now.batch, count(now.batch)), times(batch, count(batch)), ""};
}

Effective by_count(const BatchSettings& now, const BatchWish& wish, BatchPolicy policy, BatchChange& change) {
  const std::int64_t batch = wish.batch.value_or(now.batch);
  if (now.nominal && !wish.accumulation) return by_nominal(now, batch, change);
  const bool keep = policy == BatchPolicy::kKeepEffective && !wish.accumulation;
  const std::int64_t before = now.batch * now.accumulation;
  std::int64_t count = wish.accumulation.value_or(now.accumulation);
  if (keep && now.can_accumulate) count = nearest_count(before, batch);
  const std::int64_t after = batch * count;
  if (count != now.accumulation && !wish.accumulation) change.accumulation = count;
  std::string why;
  if (keep && after != before) {
    const bool somewhere = now.accumulation > 1 || now.unknown_accumulation;
    why = now.can_accumulate ? text(before) + " is no multiple of " + text(batch)
          : somewhere        ? "the accumulation cannot be changed here"
                             : "no place for gradient accumulation was found";
  }
  return {before, after, times(now.batch, now.accumulation), times(batch, count), std::move(why)};
}

void follow_effective(const BatchSettings& now,
                      const BatchWish& wish,
                      const Effective& effective,
                      BatchPolicy policy,
                      BatchChange& change) {
  const double ratio = static_cast<double>(effective.after) / static_cast<double>(effective.before);
  std::string note = "the effective batch changes from " + text(effective.before) + " to " + text(effective.after);
  if (now.unknown_accumulation) {
    note = "the effective batch changes by a factor of " + shortest(four_digits(ratio));
  } else if (effective.of_before != text(effective.before)) {
    note += " (" + effective.of_before + " → " + effective.of_after + ")";
  }
  change.notes.push_back(note + (effective.why.empty() ? "" : ": " + effective.why));
  const LearningRateRule rule = rule_for(now.optimizer, ratio);
  if (wish.sets_learning_rate) {
    // Whose rule it is that was asked for.
    const double scaled = scaled_rate(now.learning_rate.value_or(0), rule.factor);
    if (now.optimizer && wish.learning_rate && scaled > 0 && std::abs(*wish.learning_rate / scaled - 1) < 0.01) {
      change.notes.push_back("learning rate " + shortest(*now.learning_rate) + " → " + shortest(*wish.learning_rate) +
                             " by the " + rule.name);
    }
    if (policy == BatchPolicy::kScale) scale_steps(now, ratio, change);
    return;
  }
  if (!now.rate_scaled_by.empty()) {
    change.notes.push_back("the learning rate is left alone: " + now.rate_scaled_by + " scales it with the batch already");
    if (policy == BatchPolicy::kScale) scale_steps(now, ratio, change);
    return;
  }
  if (!now.learning_rate) {
    change.notes.push_back("no learning rate was found; the " + rule.name + " would multiply it by " +
                           shortest(four_digits(rule.factor)));
    if (policy == BatchPolicy::kScale) scale_steps(now, ratio, change);
    return;
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
}

}  // namespace

Result<BatchChange> follow_batch(const BatchSettings& now, const BatchWish& wish, BatchPolicy policy) {
  BatchChange change;
  auto effective = !now.global_batch        ? Result<Effective>{by_count(now, wish, policy, change)}
                   : now.says_accumulation ? keep_product(now, wish, policy, change)
                                           : fill_global(now, wish, policy, change);
  if (!effective) return effective.error();
  if (effective->after != effective->before) {
    follow_effective(now, wish, *effective, policy, change);
  } else if (change.accumulation) {
    change.notes.push_back("the effective batch stays " + text(effective->after) + " (" + effective->of_before + " → " +
                           effective->of_after + ")" +
                           (wish.sets_learning_rate ? "" : ", the learning rate is untouched"));
  }
  return change;
}

}  // namespace gputop::knobs
