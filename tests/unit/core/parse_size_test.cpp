#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

using namespace literals;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("parse_size: GB and GiB are 1024-based, and no unit is bytes", "[core]") {
  CHECK(*parse_size("7GB") == 7_GiB);
  CHECK(*parse_size("7.0 GiB") == 7_GiB);
  CHECK(*parse_size("0.5g") == 512_MiB);
  CHECK(*parse_size("512MB") == 512_MiB);
  CHECK(*parse_size("2k") == 2_KiB);
  CHECK(*parse_size("100") == 100_B);
  CHECK(*parse_size("0GB") == 0_B);
}

TEST_CASE("parse_size: what is no size is said so", "[core]") {
  for (const char* text : {"", "GB", "seven", "7 parsecs", "-1GB", "nan", "1e300GB", "inf"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_size(text));
  }
  CHECK_THAT(parse_size("7 parsecs").error().message, ContainsSubstring("\"7 parsecs\" is not a size (try 7.0GB"));
}

TEST_CASE("parse_count: thousands, millions, billions", "[core]") {
  CHECK(*parse_count("337M") == 337e6);
  CHECK(*parse_count("1.5B") == 1.5e9);
  CHECK(*parse_count("7b") == 7e9);
  CHECK(*parse_count("4_194_304") == 4194304);
  CHECK(*parse_count("12k") == 12000);
  for (const char* text : {"", "many", "3 apples", "-4", "1e300", "inf"}) CHECK_FALSE(parse_count(text));
}

}  // namespace
}  // namespace gputop
