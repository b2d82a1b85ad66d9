#include "gputop/core/format.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <limits>

using namespace gputop;
using namespace gputop::literals;
using namespace std::chrono_literals;

TEST_CASE("format: bytes keep three digits and never read 1024 of a unit", "[core]") {
  CHECK(format_bytes(0_B) == "0 B");
  CHECK(format_bytes(512_B) == "512 B");
  CHECK(format_bytes(1023_B) == "1023 B");
  CHECK(format_bytes(1_KiB) == "1.0 KiB");
  CHECK(format_bytes(Bytes{1536}) == "1.5 KiB");
  CHECK(format_bytes(7_GiB + 400_MiB) == "7.4 GiB");
  CHECK(format_bytes(99_GiB) == "99.0 GiB");
  CHECK(format_bytes(128_GiB) == "128 GiB");
  CHECK(format_bytes(1_MiB - 1_B) == "1.0 MiB");
  CHECK(format_bytes(1_GiB - 300_KiB) == "1.0 GiB");
  CHECK(format_bytes(1_GiB - 1_MiB) == "1023 MiB");
  CHECK(format_bytes(Bytes{std::numeric_limits<std::uint64_t>::max()}) == "16384 PiB");
}

TEST_CASE("format: rates", "[core]") {
  CHECK(format_rate(BytesPerSecond{0}) == "0 B/s");
  CHECK(format_rate(BytesPerSecond{1023.7}) == "1.0 KiB/s");
  CHECK(format_rate(BytesPerSecond{1.2 * (1ULL << 30U)}) == "1.2 GiB/s");
}

TEST_CASE("format: durations as a clock, with days only when there are some", "[core]") {
  CHECK(format_duration(0s) == "00:00:00");
  CHECK(format_duration(12min + 41s + 999ms) == "00:12:41");
  CHECK(format_duration(23h + 59min + 59s) == "23:59:59");
  CHECK(format_duration(24h) == "1d 00:00");
  CHECK(format_duration(76h + 10min) == "3d 04:10");
  CHECK(format_duration(-5s) == "-00:00:05");
  CHECK(format_duration(-5ms) == "00:00:00");
}

TEST_CASE("format: civil time in UTC with milliseconds", "[core]") {
  CHECK(format_wall(WallTime{}) == "1970-01-01T00:00:00.000Z");
  CHECK(format_wall(WallTime{1794800229s + 7ms}) == "2026-11-16T03:37:09.007Z");
  CHECK(format_wall(WallTime{951782399s + 999ms}) == "2000-02-28T23:59:59.999Z");
  CHECK(format_wall(WallTime{951782400s}) == "2000-02-29T00:00:00.000Z");
  CHECK(format_wall(WallTime{-1ms}) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("format: numbers have a point whatever the locale, and no minus before zero", "[core]") {
  CHECK(format_number(1234.5, 1) == "1234.5");
  CHECK(format_number(2.0, 0) == "2");
  CHECK(format_number(-0.0, 0) == "0");
  CHECK(format_number(-0.04, 1) == "0.0");
  CHECK(format_number(-0.06, 1) == "-0.1");
  CHECK(format_number(std::numeric_limits<double>::quiet_NaN(), 1) == "–");
  CHECK(format_number(std::numeric_limits<double>::infinity(), 1) == "–");
  CHECK(format_number(std::numeric_limits<double>::max(), 1).size() > 300);
}

TEST_CASE("format: an unknown reading is a dash, a known zero is a zero", "[core]") {
  CHECK(format_reading(Reading<Percent>{}, " %") == "–");
  CHECK(format_reading(Reading<Percent>{Percent{0}}, " %") == "0 %");
  CHECK(format_reading(Reading<Watts>{Watts{212.46}}, " W", 1) == "212.5 W");
}
