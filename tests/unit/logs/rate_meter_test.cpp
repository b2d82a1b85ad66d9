#include "gputop/logs/rate_meter.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace gputop;
using Catch::Approx;

TEST_CASE("rate meter: unknown before three rates agree", "[logs]") {
  RateMeter meter;
  CHECK_FALSE(meter.per_second());
  for (const double rate : {1.0, 4.0, 7.0}) meter.printed(rate, false);
  CHECK_FALSE(meter.per_second());
  for (const double rate : {10.0, 10.2, 10.1}) meter.printed(rate, false);
  REQUIRE(meter.per_second());
  CHECK(*meter.per_second() == Approx(10).epsilon(0.03));
}

TEST_CASE("rate meter: the first step's warm-up is not averaged in", "[logs]") {
  RateMeter meter;
  meter.printed(0.03, false);
  for (int i = 0; i < 4; ++i) meter.printed(81.3, false);
  CHECK(*meter.per_second() == Approx(81.3));
}

TEST_CASE("rate meter: the clock counts where nothing is printed, and a pause is not a slow step", "[logs]") {
  RateMeter meter;
  double now = 0;
  double step = 0;
  for (int i = 0; i < 6; ++i, now += 2, step += 10) meter.counted(at_seconds(now), step);
  REQUIRE(meter.per_second());
  CHECK(*meter.per_second() == Approx(5));
  meter.pause();
  now += 60;
  for (int i = 0; i < 3; ++i, now += 2, step += 10) meter.counted(at_seconds(now), step);
  CHECK(*meter.per_second() == Approx(5));
  now += 300;  // nobody announced this one
  meter.counted(at_seconds(now), step += 10);
  CHECK(*meter.per_second() == Approx(5));
}

TEST_CASE("rate meter: what tqdm prints after a pause is ignored until it has forgotten it", "[logs]") {
  RateMeter meter;
  for (int i = 0; i < 9; ++i) meter.printed(10, false);
  meter.pause();
  for (const double rate : {0.3, 0.5, 0.9, 1.8, 4.0, 6.0, 9.5, 10.0}) meter.printed(rate, false);
  CHECK(*meter.per_second() == Approx(10).epsilon(0.06));
  // A run that is really slower is believed in the end.
  for (int i = 0; i < 40; ++i) meter.printed(2, false);
  CHECK(*meter.per_second() == Approx(2));
}

TEST_CASE("rate meter: one digit is refined by the clock, unless they contradict each other", "[logs]") {
  RateMeter meter;
  double now = 0;
  for (int i = 0; i < 8; ++i, now += 1) {
    meter.printed(500, true);  // "2ms/step"
    meter.counted(at_seconds(now), i * 430.0);
  }
  CHECK(*meter.per_second() == Approx(430));
  RateMeter transcript;
  for (int i = 0; i < 8; ++i) {
    transcript.printed(500, true);
    transcript.counted(at_seconds(i), i);
  }
  CHECK(*transcript.per_second() == Approx(500));
}
