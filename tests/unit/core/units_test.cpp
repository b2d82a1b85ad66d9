#include <catch2/catch_test_macros.hpp>

#include <type_traits>

#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"

using namespace gputop;
using namespace gputop::literals;

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST_CASE("units: a unit never mixes with another, nor with a bare number", "[core]") {
  STATIC_REQUIRE(Addable<Watts, Watts>);
  STATIC_REQUIRE_FALSE(Addable<Watts, Celsius>);
  STATIC_REQUIRE_FALSE(Addable<Bytes, BytesPerSecond>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<double, Watts>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Watts, double>);
}

TEST_CASE("units: binary multiples", "[core]") {
  CHECK(1_KiB == Bytes{1024});
  CHECK(3_MiB == Bytes{3 * 1024 * 1024});
  CHECK(10_GiB == Bytes{10ULL * 1024 * 1024 * 1024});
}

TEST_CASE("units: sums, differences, multiples, ratios and order", "[core]") {
  CHECK(2_GiB + 1_GiB == 3_GiB);
  CHECK(2_GiB - 1_GiB == 1_GiB);
  CHECK(100_W * 1.5 == Watts{150});
  CHECK(3_GiB / 2_GiB == 1.5);
  CHECK(percent_of(1_GiB, 4_GiB) == Percent{25});
  CHECK(70_celsius < 71_celsius);
  Watts total = 10_W;
  total += 2.5_W;
  total -= 0.5_W;
  CHECK(total == Watts{12});
}

TEST_CASE("time: seconds to instants and back", "[core]") {
  CHECK(to_seconds(at_seconds(1.5)) == 1.5);
  CHECK(from_seconds(0.25) == std::chrono::milliseconds{250});
  CHECK(at_seconds(2) - at_seconds(0.5) == std::chrono::milliseconds{1500});
}
