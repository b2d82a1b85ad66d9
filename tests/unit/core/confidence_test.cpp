#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/core/block_series.hpp"
#include "gputop/core/confidence.hpp"

namespace gputop {
namespace {

using Catch::Approx;

std::vector<Block> blocks(std::initializer_list<double> means) {
  std::vector<Block> all;
  for (const double mean : means) all.push_back({mean, mean, mean * 10, 10});
  return all;
}

TEST_CASE("block series: a stream of any length keeps its mean in few blocks", "[core]") {
  BlockSeries series;
  double sum = 0;
  for (int i = 0; i < 864'000; ++i) {
    series.push(at_seconds(i), i % 7);
    sum += i % 7;
  }
  CHECK(series.blocks().size() <= BlockSeries::kMost);
  Block all;
  for (const auto& block : series.blocks()) all.merge(block);
  CHECK(all.count == 864'000);
  CHECK(all.sum == sum);
  CHECK(all.min == 0);
  CHECK(all.max == 6);
}

TEST_CASE("block series: between two moments are only blocks that lie wholly inside", "[core]") {
  BlockSeries series{std::chrono::seconds{1}};
  for (int i = 0; i < 10; ++i) series.push(at_seconds(i + 0.5), i);
  const auto some = series.between(at_seconds(2.5), at_seconds(6));
  REQUIRE(some.size() == 3);
  CHECK(some.front().min == 3);
  CHECK(some.back().max == 5);
}

TEST_CASE("block series: merging is as if all had been pushed to one", "[core]") {
  BlockSeries one;
  BlockSeries early;
  BlockSeries late;
  for (int i = 0; i < 5000; ++i) {
    auto& other = i < 300 ? early : late;
    other.push(at_seconds(i), i % 11);
    one.push(at_seconds(i), i % 11);
  }
  REQUIRE(early.width() < late.width());
  for (auto [to, from] : {std::pair{early, late}, std::pair{late, early}}) {
    to.merge(from);
    REQUIRE(to.width() == one.width());
    REQUIRE(to.blocks().size() == one.blocks().size());
    for (std::size_t i = 0; i < one.blocks().size(); ++i) {
      CHECK(to.blocks()[i].sum == one.blocks()[i].sum);
      CHECK(to.blocks()[i].count == one.blocks()[i].count);
      CHECK(to.blocks()[i].max == one.blocks()[i].max);
    }
  }
}

TEST_CASE("block series: an earlier moment finds its block again", "[core]") {
  BlockSeries series{std::chrono::seconds{1}};
  series.push(at_seconds(5.5), 1);
  series.push(at_seconds(2.5), 2);
  series.push(at_seconds(5.6), 3);
  CHECK(series.blocks()[5].count == 2);
  CHECK(series.blocks()[2].max == 2);
}

TEST_CASE("student's t: wide for few, near the normal distribution for many", "[core]") {
  CHECK(student_t(1) == Approx(12.706));
  CHECK(student_t(4) == Approx(2.776).epsilon(0.002));
  CHECK(student_t(2.5) == Approx(3.575).epsilon(0.02));  // Welch's test has fractions
  CHECK(student_t(3.5) == Approx(2.940).epsilon(0.02));
  CHECK(student_t(5.9) == Approx(2.457).epsilon(0.002));
  CHECK(student_t(10) == Approx(2.228).epsilon(0.001));
  CHECK(student_t(1000) == Approx(1.962).epsilon(0.001));
}

TEST_CASE("confidence: a mean of two blocks has no interval", "[core]") {
  const auto mean = estimated_mean(blocks({1, 3}));
  REQUIRE(mean);
  CHECK(mean->mean == 2);
  CHECK_FALSE(mean->plus_minus);
  CHECK_FALSE(estimated_mean({}));
}

TEST_CASE("confidence: an interval as a table of Student's t has it", "[core]") {
  const auto mean = estimated_mean(blocks({9, 10, 11, 10, 10}));
  REQUIRE(mean->plus_minus);
  CHECK(*mean->plus_minus == Approx(2.776 * 0.70711 / 2.23607).epsilon(0.002));
}

TEST_CASE("confidence: a clear difference is certain, a small one is not", "[core]") {
  const auto slow = blocks({99, 101, 100, 100, 99, 101});
  const auto clear = difference(slow, blocks({139, 141, 140, 140, 139, 141}));
  REQUIRE(clear);
  CHECK(clear->certain() == true);
  CHECK(clear->relative->mean == Approx(0.4));
  CHECK(*clear->relative->plus_minus < 0.03);
  CHECK(difference(slow, blocks({99.5, 101.4, 100.1, 100.3, 98.9, 101}))->certain() == false);
}

TEST_CASE("confidence: nothing to compare with is unknown; zero has no relative difference", "[core]") {
  CHECK_FALSE(difference({}, blocks({1, 2, 3})));
  const auto from_zero = difference(blocks({0, 0, 0}), blocks({1, 2, 3}));
  REQUIRE(from_zero);
  CHECK_FALSE(from_zero->relative);
  CHECK(from_zero->absolute.mean == 2);
}

}  // namespace
}  // namespace gputop
