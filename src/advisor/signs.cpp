#include "gputop/advisor/signs.hpp"

#include <array>

#include "advisor/phrase.hpp"

namespace gputop {
namespace {

using Kind = Sign::Kind;

constexpr double kFull = 90;     // percent: a GPU that works this much is used well
constexpr double kSteady = 0.1;  // a speed that moves less than this is steady,
constexpr double kJumpy = 0.3;   // more than this is not

Kind low_is_good(double value, double good, double bad) {
  return value < good ? Kind::kGood : value < bad ? Kind::kFair : Kind::kBad;
}

void add_speed(const StepFacts& step, const Thresholds& limits, std::vector<Sign>& all) {
  if (step.rate_spread) {
    const double spread = step.rate_spread->value;
    const auto kind = low_is_good(spread, kSteady, kJumpy);
    all.push_back({kind, (kind == Kind::kGood ? "steady speed (± " : "speed moves by ± ") + percent_words(spread / 2) +
                             (kind == Kind::kGood ? ")" : "")});
  }
  if (!step.early_samples_per_second || !step.samples_per_second || step.early_samples_per_second->value <= 0) return;
  const double lost = 1 - step.samples_per_second->value / step.early_samples_per_second->value;
  const auto kind = low_is_good(lost * 100, limits.slowdown / 2, limits.slowdown);
  all.push_back(
      {kind, kind == Kind::kGood ? "as fast as at the start" : percent_words(lost) + " slower than at the start"});
}

}  // namespace

std::string_view to_string(Kind kind) {
  static constexpr std::array<std::string_view, 3> kNames{"good", "fair", "bad"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view mark_of(Kind kind) {
  static constexpr std::array<std::string_view, 3> kMarks{"✓", "·", "✗"};
  return kMarks.at(static_cast<std::size_t>(kind));
}

std::vector<Sign> signs(const Facts& facts, const Diagnosis& diagnosis, const Thresholds& limits) {
  std::vector<Sign> all;
  if (!facts.steady) return all;
  if (diagnosis.utilization) {
    const double used = *diagnosis.utilization * 100;
    all.push_back({used >= kFull                    ? Kind::kGood
                   : used >= limits.low_utilization ? Kind::kFair
                                                    : Kind::kBad,
                   percent_words(used / 100) + " utilised" + (used >= kFull ? "" : " (good: 90–100)")});
  }
  if (const auto& wait = facts.step.input_wait_share) {
    all.push_back({low_is_good(wait->value * 100, limits.input_wait / 2, limits.input_wait),
                   "input wait " + percent_words(wait->value)});
  }
  add_speed(facts.step, limits, all);
  if (facts.end.oom || facts.end.survived_ooms > 0) all.push_back({Kind::kBad, "ran out of GPU memory"});
  return all;
}

}  // namespace gputop
