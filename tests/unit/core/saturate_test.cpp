#include "gputop/core/saturate.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "gputop/core/format.hpp"
#include "gputop/core/time.hpp"

using namespace gputop;

TEST_CASE("saturate: what does not fit is the nearest that does", "[core]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(saturate<unsigned>(2.9) == 2);
  CHECK(saturate<unsigned>(-1) == 0);
  CHECK(saturate<unsigned>(1e300) == std::numeric_limits<unsigned>::max());
  CHECK(saturate<std::uint64_t>(kInfinity) == std::numeric_limits<std::uint64_t>::max());
  CHECK(saturate<std::uint64_t>(18446744073709551616.0) == std::numeric_limits<std::uint64_t>::max());
  CHECK(saturate<std::uint64_t>(18446744073709549568.0) == 18446744073709549568U);
  CHECK(saturate<std::int64_t>(-kInfinity) == std::numeric_limits<std::int64_t>::min());
  CHECK(saturate<std::int64_t>(9223372036854775808.0) == std::numeric_limits<std::int64_t>::max());
  CHECK(saturate<int>(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(saturate_rounded<int>(2.5) == 3);
  CHECK(saturate_rounded<int>(1e12) == std::numeric_limits<int>::max());
}

TEST_CASE("time: seconds that no clock can hold are the most it holds", "[core]") {
  CHECK(from_seconds(1.5) == std::chrono::milliseconds{1500});
  CHECK(from_seconds(1e300) == kLongestDuration);
  CHECK(from_seconds(-std::numeric_limits<double>::infinity()) == -kLongestDuration);
  CHECK(from_seconds(std::numeric_limits<double>::quiet_NaN()) == Duration{});
  // What is that long can still be added to a moment, and the difference of two of them taken.
  CHECK(Instant{kLongestDuration} - Instant{-kLongestDuration} > kLongestDuration);
  CHECK_FALSE(format_duration(kLongestDuration).empty());
}
