#include "gputop/core/history.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace gputop;
using Catch::Approx;

TEST_CASE("history: when it is full the oldest leaves", "[core]") {
  History history{3};
  CHECK(history.empty());
  for (int i = 0; i < 5; ++i) history.push(at_seconds(i), i * 10.0);
  CHECK(history.size() == 3);
  CHECK(history.back() == Point{at_seconds(4), 40});
  const auto all = history.window(at_seconds(0), at_seconds(100));
  CHECK(all == std::vector<Point>{{at_seconds(2), 20}, {at_seconds(3), 30}, {at_seconds(4), 40}});
}

TEST_CASE("history: without room it stays empty", "[core]") {
  History history{0};
  history.push(at_seconds(1), 1);
  CHECK(history.empty());
}

TEST_CASE("history: a window has both its ends", "[core]") {
  History history{10};
  for (int i = 0; i < 5; ++i) history.push(at_seconds(i), i);
  CHECK(history.window(at_seconds(1), at_seconds(3)).size() == 3);
  CHECK(history.window(at_seconds(1.1), at_seconds(1.9)).empty());
}

TEST_CASE("history: statistics of a window", "[core]") {
  History history{200};
  for (int i = 0; i <= 100; ++i) history.push(at_seconds(i), i);
  const auto all = history.statistics(at_seconds(0), at_seconds(100));
  REQUIRE(all);
  CHECK(all->count == 101);
  CHECK(all->mean == Approx(50));
  CHECK(all->min == 0);
  CHECK(all->max == 100);
  CHECK(all->p5 == Approx(5));
  CHECK(all->p50 == Approx(50));
  CHECK(all->p95 == Approx(95));
  CHECK(*all->slope_per_second == Approx(1));
  const auto last = history.statistics(at_seconds(99), at_seconds(1000));
  CHECK(last->count == 2);
  CHECK(last->min == 99);
}

TEST_CASE("history: nothing in the window, nothing known; one point has no slope", "[core]") {
  History history{5};
  CHECK_FALSE(history.statistics(at_seconds(0), at_seconds(10)));
  history.push(at_seconds(5), 7);
  CHECK_FALSE(history.statistics(at_seconds(6), at_seconds(10)));
  const auto one = history.statistics(at_seconds(0), at_seconds(10));
  REQUIRE(one);
  CHECK(one->p95 == 7);
  CHECK_FALSE(one->slope_per_second);
}
