#include "gputop/core/statistics.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace gputop;
using Catch::Approx;

TEST_CASE("statistics: of nothing nothing is known", "[core]") {
  CHECK_FALSE(mean({}));
  CHECK_FALSE(percentile({}, 0.5));
  CHECK_FALSE(median({}));
  CHECK_FALSE(robust_deviation({}));
  CHECK_FALSE(slope_per_second({}));
}

TEST_CASE("statistics: mean and percentiles of a few numbers in any order", "[core]") {
  const std::vector<double> values{40, 10, 30, 20};
  CHECK(mean(values) == 25.0);
  CHECK(median(values) == 25.0);
  CHECK(percentile(values, 0) == 10.0);
  CHECK(percentile(values, 1) == 40.0);
  CHECK(*percentile(values, 0.95) == Approx(38.5));
  CHECK(percentile(values, -1) == 10.0);
  CHECK(percentile(values, 7) == 40.0);
  CHECK(median(std::vector<double>{5}) == 5.0);
}

TEST_CASE("statistics: one wild value moves the mean, not the robust deviation", "[core]") {
  const std::vector<double> calm{25, 26, 27, 28, 29};
  std::vector<double> wild = calm;
  wild.back() = 590;
  CHECK(*robust_deviation(calm) == Approx(1.4826));
  CHECK(*robust_deviation(wild) == Approx(1.4826));
  CHECK(*mean(wild) > 100);
}

TEST_CASE("statistics: the slope is per second and needs two moments", "[core]") {
  const std::vector<Point> rising{{at_seconds(10), 100}, {at_seconds(12), 104}, {at_seconds(14), 108}};
  CHECK(*slope_per_second(rising) == Approx(2.0));
  CHECK(*slope_per_second(std::vector<Point>{{at_seconds(0), 5}, {at_seconds(9), 5}}) == Approx(0.0));
  CHECK_FALSE(slope_per_second(std::vector<Point>{{at_seconds(1), 5}}));
  CHECK_FALSE(slope_per_second(std::vector<Point>{{at_seconds(1), 5}, {at_seconds(1), 6}}));
  // Days after the start a slow leak is still seen.
  const std::vector<Point> late{{at_seconds(864000), 50}, {at_seconds(864001), 50.001}, {at_seconds(864002), 50.002}};
  CHECK(*slope_per_second(late) == Approx(0.001).epsilon(1e-6));
}
