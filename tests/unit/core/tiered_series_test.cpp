#include "gputop/core/tiered_series.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>

using namespace gputop;
using namespace std::chrono_literals;
using Catch::Approx;

TEST_CASE("bucket: keeps the extremes and the mean", "[core]") {
  Bucket bucket;
  bucket.add(-3);
  bucket.add(5);
  bucket.merge({.min = 7, .max = 9, .sum = 16, .count = 2});
  bucket.merge({});  // empty: changes nothing
  CHECK(bucket.min == -3);
  CHECK(bucket.max == 9);
  CHECK(bucket.count == 4);
  CHECK(bucket.mean() == Approx(4.5));
}

TEST_CASE("series: an empty one gives empty columns, and nonsense asks for nothing", "[core]") {
  TieredSeries series;
  CHECK(series.empty());
  const auto columns = series.columns(at_seconds(0), at_seconds(10), 4);
  CHECK(columns.size() == 4);
  for (const auto& column : columns) CHECK_FALSE(column);
  series.push(at_seconds(1), 1);
  CHECK(series.columns(at_seconds(0), at_seconds(10), 0).empty());
  CHECK_FALSE(series.columns(at_seconds(10), at_seconds(0), 1)[0]);
  CHECK_FALSE(series.columns(at_seconds(5), at_seconds(5), 1)[0]);
}

TEST_CASE("series: one column per bucket, gaps stay empty", "[core]") {
  TieredSeries series;
  series.push(at_seconds(0.1), 1);
  series.push(at_seconds(0.9), 3);
  series.push(at_seconds(3.5), 7);
  const auto columns = series.columns(at_seconds(0), at_seconds(5), 5);
  REQUIRE(columns[0]);
  CHECK(columns[0]->min == 1);
  CHECK(columns[0]->max == 3);
  CHECK(columns[0]->mean() == Approx(2));
  CHECK_FALSE(columns[1]);
  CHECK_FALSE(columns[2]);
  CHECK(columns[3]->mean() == Approx(7));
  CHECK_FALSE(columns[4]);
}

TEST_CASE("series: narrow buckets join in a column, wide ones fill all they cover", "[core]") {
  TieredSeries series;
  for (int i = 0; i < 8; ++i) series.push(at_seconds(i), i);
  const auto joined = series.columns(at_seconds(0), at_seconds(8), 2);
  CHECK(joined[0]->mean() == Approx(1.5));
  CHECK(joined[0]->max == 3);
  CHECK(joined[1]->min == 4);
  const auto spread = series.columns(at_seconds(2), at_seconds(4), 4);
  CHECK(spread[0]->mean() == 2);
  CHECK(spread[1]->mean() == 2);
  CHECK(spread[2]->mean() == 3);
  CHECK(spread[3]->mean() == 3);
}

TEST_CASE("series: a mean is one over time, however often a second was read", "[core]") {
  TieredSeries series;
  for (int i = 0; i < 9; ++i) series.push(at_seconds(i * 0.1), 100);
  series.push(at_seconds(1), 0);
  CHECK(series.columns(at_seconds(0), at_seconds(2), 1)[0]->mean() == Approx(50));
}

TEST_CASE("series: what cannot be negative is not", "[core]") {
  TieredSeries series;
  series.push(at_seconds(0), -5);
  series.push(at_seconds(1), -5);
  const auto columns = series.columns(at_seconds(0), at_seconds(2), 2);
  CHECK(columns[0]->min == 0);
  CHECK(columns[1]->min == 0);
}

TEST_CASE("series: the seconds before a silence and after it are both there while they fit", "[core]") {
  TieredSeries series;
  for (const int i : {0, 1, 100, 254}) series.push(at_seconds(i), i + 1);
  const auto columns = series.columns(at_seconds(0), at_seconds(255), 255);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    CAPTURE(i);
    const bool read = i == 0 || i == 1 || i == 100 || i == 254;
    REQUIRE(columns[i].has_value() == read);
    if (read) CHECK(columns[i]->mean() == static_cast<float>(i + 1));
  }
}

TEST_CASE("series: what is outside of the window is left out", "[core]") {
  TieredSeries series;
  for (int i = 0; i < 10; ++i) series.push(at_seconds(i), i);
  const auto columns = series.columns(at_seconds(3), at_seconds(5), 2);
  CHECK(columns[0]->mean() == 3);
  CHECK(columns[1]->mean() == 4);
}

TEST_CASE("series: further back than the fine tier reaches, coarser buckets answer", "[core]") {
  TieredSeries series;
  for (int i = 0; i < 2000; ++i) series.push(at_seconds(i), i);
  const auto recent = series.columns(at_seconds(1990), at_seconds(2000), 10);
  CHECK(recent[0]->min == 1990);
  CHECK(recent[0]->max == 1990);
  CHECK(recent[0]->mean() == 1990);
  // 1000 s back: tier 1 (4 s) reaches 1024 s back.
  const auto older = series.columns(at_seconds(1000), at_seconds(1004), 1);
  CHECK(older[0]->mean() == Approx(1001.5).epsilon(0.001));
  CHECK(older[0]->min == 1000);
  CHECK(older[0]->max == 1003);
  const auto all = series.columns(at_seconds(0), at_seconds(2000), 1);
  CHECK(all[0]->min == 0);
  CHECK(all[0]->max == 1999);
  CHECK(all[0]->mean() == Approx(999.5).epsilon(0.001));
}

TEST_CASE("series: ten days of seconds keep their first hour", "[core]") {
  TieredSeries series;
  constexpr int kDays = 10;
  for (int i = 0; i < kDays * 86400; i += 10) series.push(at_seconds(i), i < 3600 ? 90 : 10);
  const auto days = series.columns(at_seconds(0), at_seconds(kDays * 86400), kDays);
  for (const auto& day : days) REQUIRE(day);
  CHECK(days[0]->max == 90);
  CHECK(days[1]->max == 10);
  CHECK(days[9]->mean() == Approx(10));
}

TEST_CASE("series: a long silence is a gap, at every zoom", "[core]") {
  TieredSeries series;
  for (int i = 0; i < 600; ++i) series.push(at_seconds(i), 1);
  for (int i = 7200; i < 7800; ++i) series.push(at_seconds(i), 2);
  const auto columns = series.columns(at_seconds(0), at_seconds(7800), 13);  // ten minutes each
  CHECK(columns[0]->max == 1);
  for (std::size_t i = 2; i < 11; ++i) CHECK_FALSE(columns[i]);
  CHECK(columns[12]->max == 2);
}

TEST_CASE("series: a late value is counted, into the newest bucket", "[core]") {
  TieredSeries series;
  series.push(at_seconds(10), 1);
  series.push(at_seconds(5), 100);
  const auto columns = series.columns(at_seconds(5), at_seconds(11), 6);
  CHECK_FALSE(columns[0]);
  CHECK(columns[5]->mean() == Approx(50.5));
}

TEST_CASE("series: buckets may be finer than a second", "[core]") {
  TieredSeries series{100ms};
  series.push(at_seconds(0.05), 1);
  series.push(at_seconds(0.15), 2);
  const auto columns = series.columns(at_seconds(0), at_seconds(0.2), 2);
  CHECK(columns[0]->mean() == 1);
  CHECK(columns[1]->mean() == 2);
}
