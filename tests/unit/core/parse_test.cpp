#include "gputop/core/parse.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

using std::chrono::milliseconds;

TEST_CASE("parse_duration: numbers with a unit", "[core]") {
  CHECK(*parse_duration("500ms") == milliseconds{500});
  CHECK(*parse_duration("2s") == milliseconds{2000});
  CHECK(*parse_duration("1.5s") == milliseconds{1500});
  CHECK(*parse_duration("1m") == milliseconds{60'000});
  CHECK(*parse_duration("1min") == milliseconds{60'000});
  CHECK(*parse_duration(" 2 h ") == milliseconds{7'200'000});
  CHECK(*parse_duration("0s") == milliseconds{0});
}

TEST_CASE("parse_duration: says what is wrong and what would be right", "[core]") {
  CHECK(parse_duration("fast").error().message == "\"fast\" is not a duration (try 500ms)");
  CHECK(parse_duration("2").error().message == "\"2\" has no unit (try 2s or 2ms)");
  for (const auto* text :
       {"", " ", "ms", "2 parsecs", "-1s", "nan s", "inf s", "1e400s", "1s1s", "0x10s", "99999999h"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("parse_interval: keeps to what the engine can do", "[core]") {
  CHECK(*parse_interval("100ms") == kShortestInterval);
  CHECK(*parse_interval("1m") == kLongestInterval);
  CHECK(parse_interval("99ms").error().message == "\"99ms\" is too short (100ms to 1m)");
  CHECK(parse_interval("61s").error().message == "\"61s\" is too long (100ms to 1m)");
  CHECK(parse_interval("fast").error().message == "\"fast\" is not a duration (try 500ms)");
}

}  // namespace
}  // namespace gputop
