#include "gputop/tuning/change_effect.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace gputop {
namespace {

// Figures around `mean` that wander slowly, as those of a real run do.
std::vector<double> around(double mean, std::size_t count, double share, double phase = 0) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(mean * (1 + share * std::sin(static_cast<double>(i) * 1.7 + phase)));
  return values;
}

TEST_CASE("a run that got faster is said to be, with how sure that is") {
  const auto effect = compare_speeds(around(100, 30, 0.05), around(138, 30, 0.05, 1));
  REQUIRE(effect);
  CHECK(effect->verdict == ChangeEffect::Verdict::kFaster);
  CHECK(std::abs(effect->gain - 0.38) < 0.03);
  CHECK(effect->uncertainty > 0);
  CHECK(effect->uncertainty < 0.06);
}

TEST_CASE("a run that got slower is said to be") {
  const auto effect = compare_speeds(around(100, 30, 0.03), around(80, 30, 0.03));
  REQUIRE(effect);
  CHECK(effect->verdict == ChangeEffect::Verdict::kSlower);
}

TEST_CASE("a difference within the noise is none") {
  CHECK(compare_speeds(around(100, 16, 0.3), around(104, 16, 0.3, 2))->verdict == ChangeEffect::Verdict::kSame);
}

TEST_CASE("half a percent is no difference, however sure it is") {
  CHECK(compare_speeds(std::vector(20, 100.0), std::vector(20, 100.5))->verdict == ChangeEffect::Verdict::kSame);
}

TEST_CASE("too few figures, or none to compare with, give no verdict") {
  CHECK_FALSE(compare_speeds(std::vector(7, 1.0), std::vector(30, 2.0)));
  CHECK_FALSE(compare_speeds(std::vector(30, 1.0), std::vector(7, 2.0)));
  CHECK_FALSE(compare_speeds(std::vector(30, 0.0), std::vector(30, 2.0)));
}

TEST_CASE("an effect in words") {
  CHECK(effect_in_words({.gain = 0.381, .uncertainty = 0.04}) == "+38 % ± 4 %");
  CHECK(effect_in_words({.gain = 0.43, .uncertainty = 0.004}) == "+43 % ± 0.4 %");
  CHECK(effect_in_words({.gain = -0.052, .uncertainty = 0.011}) == "-5.2 % ± 1.1 %");
}

TEST_CASE("without GPUs their mean utilization is unknown") {
  const Model nothing;
  CHECK_FALSE(run_utilization(nothing));
}

}  // namespace
}  // namespace gputop
