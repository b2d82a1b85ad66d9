#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "gputop/core/distribution.hpp"

namespace gputop {
namespace {

using Catch::Approx;

TEST_CASE("distribution: nothing read is unknown, not zero", "[core]") {
  CHECK_FALSE(Distribution{}.statistics());
}

TEST_CASE("distribution: a few readings give exact percentiles", "[core]") {
  Distribution readings;
  for (int i = 0; i <= 100; ++i) readings.add(i + 0.25);
  const auto s = readings.statistics();
  REQUIRE(s);
  CHECK(s->count == 101);
  CHECK(s->mean == Approx(50.25));
  CHECK(s->min == 0.25);
  CHECK(s->max == 100.25);
  CHECK(s->p5 == Approx(5.25));
  CHECK(s->p50 == Approx(50.25));
  CHECK(s->p95 == Approx(95.25));
}

TEST_CASE("distribution: percentages of many readings stay exact", "[core]") {
  Distribution readings;
  for (int i = 0; i < 101'000; ++i) readings.add(i % 101);
  const auto s = readings.statistics();
  CHECK(s->count == 101'000);
  CHECK(s->mean == Approx(50));
  CHECK(s->p5 == 5);
  CHECK(s->p50 == 50);
  CHECK(s->p95 == 95);
}

TEST_CASE("distribution: other readings are within 0.2 % when they are many, negative ones too", "[core]") {
  Distribution readings;
  for (int i = 0; i < 100'000; ++i) readings.add(i * 1.37 - 20'000);
  const auto s = readings.statistics();
  CHECK(s->min == -20'000);
  CHECK(s->p5 == Approx(0.05 * 99'999 * 1.37 - 20'000).epsilon(0.002));
  CHECK(s->p50 == Approx(0.5 * 99'999 * 1.37 - 20'000).epsilon(0.002));
  CHECK(s->p95 == Approx(0.95 * 99'999 * 1.37 - 20'000).epsilon(0.002));
}

TEST_CASE("distribution: merging is as if all had been added to one", "[core]") {
  Distribution few;
  Distribution many;
  Distribution both;
  for (int i = 0; i < 50; ++i) {
    few.add(i);
    both.add(i);
  }
  for (int i = 0; i < 10'000; ++i) {
    many.add(i % 90);
    both.add(i % 90);
  }
  few.merge(many);
  CHECK(few.statistics()->count == both.statistics()->count);
  CHECK(few.statistics()->mean == Approx(both.statistics()->mean));
  CHECK(few.statistics()->p5 == both.statistics()->p5);
  CHECK(few.statistics()->p95 == both.statistics()->p95);
}

TEST_CASE("distribution: what is no number is not a reading", "[core]") {
  Distribution readings;
  readings.add(std::nan(""));
  readings.add(std::numeric_limits<double>::infinity());
  CHECK(readings.count() == 0);
}

}  // namespace
}  // namespace gputop
