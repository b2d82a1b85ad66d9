#include "gputop/core/history.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

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

TEST_CASE("history: the mean of a window, at every fill of the ring", "[core]") {
  History history{4};
  CHECK_FALSE(history.mean(at_seconds(0), at_seconds(100)));
  for (int i = 0; i < 11; ++i) {
    history.push(at_seconds(i), i);
    const int oldest = std::max(0, i - 3);
    CHECK(*history.mean(at_seconds(0), at_seconds(100)) == Approx((oldest + i) / 2.0));
    CHECK(*history.mean(at_seconds(i - 0.5), at_seconds(i)) == Approx(i));
    CHECK_FALSE(history.mean(at_seconds(i + 0.5), at_seconds(100)));
  }
}

TEST_CASE("history: of readings that come too quickly the first is kept, or the highest", "[core]") {
  History first{100};
  History highest{100};
  for (int i = 0; i < 32; ++i) {
    first.push(at_seconds(i * 0.125), i % 8, {.pace = std::chrono::seconds{1}});
    highest.push(at_seconds(i * 0.125), i % 8, {.pace = std::chrono::seconds{1}, .peak = true});
  }
  CHECK(first.window(at_seconds(0), at_seconds(9)) ==
        std::vector<Point>{{at_seconds(0), 0}, {at_seconds(1), 0}, {at_seconds(2), 0}, {at_seconds(3), 0}});
  CHECK(highest.window(at_seconds(0), at_seconds(9)) ==
        std::vector<Point>{{at_seconds(0), 7}, {at_seconds(1), 7}, {at_seconds(2), 7}, {at_seconds(3), 7}});
}

TEST_CASE("history: what is older than it needs to be makes room, and room is made again when readings come faster",
          "[core]") {
  History history{1000};
  const Retention minute{.span = std::chrono::seconds{60}};
  for (int i = 0; i < 500; ++i) history.push(at_seconds(i), i, minute);
  CHECK(history.size() <= 62);
  CHECK(history.window(at_seconds(440), at_seconds(499)).size() == 60);
  for (int i = 0; i < 600; ++i) history.push(at_seconds(500 + i * 0.1), i, minute);
  const auto dense = history.window(at_seconds(500), at_seconds(560));
  REQUIRE(dense.size() == 600);
  for (std::size_t i = 0; i < dense.size(); ++i) REQUIRE(dense[i].value == static_cast<double>(i));
}

TEST_CASE("history: a machine that is never switched off", "[core]") {
  constexpr double kDay = 86400;
  History history{4};
  for (int day = 0; day <= 200; ++day) history.push(at_seconds(day * kDay), day);
  CHECK(history.window(at_seconds(0), at_seconds(300 * kDay)).size() == 4);
  CHECK(history.back() == Point{at_seconds(200 * kDay), 200});
  CHECK(*history.mean(at_seconds(199 * kDay), at_seconds(200 * kDay)) == Approx(199.5));
  history.push(at_seconds(400 * kDay), 1);  // more than can be counted from the oldest
  CHECK(history.window(at_seconds(0), at_seconds(500 * kDay)) == std::vector<Point>{{at_seconds(400 * kDay), 1}});
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
