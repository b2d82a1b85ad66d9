#include "gputop/core/small_float.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

using Catch::Approx;
using gputop::SmallFloat;

TEST_CASE("small float: whole numbers up to 2048 are exact", "[core]") {
  for (int i = 0; i <= 2048; ++i) CHECK(SmallFloat{static_cast<float>(i)}.value() == static_cast<float>(i));
}

TEST_CASE("small float: what it does not have exactly is within a two-thousandth, and in order", "[core]") {
  SmallFloat before;
  for (double value = 1e-6; value < 1e12; value *= 1.0003) {
    const SmallFloat small{static_cast<float>(value)};
    REQUIRE(static_cast<double>(small.value()) == Approx(value).epsilon(0.0005));
    REQUIRE(small >= before);
    before = small;
  }
}

TEST_CASE("small float: beyond its range it is the nearest it has", "[core]") {
  CHECK(SmallFloat{-1.0F}.value() == 0);
  CHECK(SmallFloat{1e-30F}.value() == 0);
  CHECK(SmallFloat{std::nanf("")}.value() == 0);
  CHECK(SmallFloat{1e30F}.value() > 2e12F);
  CHECK(SmallFloat{1e30F} == SmallFloat{std::numeric_limits<float>::infinity()});
}
