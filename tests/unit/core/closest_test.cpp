#include "gputop/core/closest.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

using gputop::closest;

namespace {
constexpr std::array<std::string_view, 4> kWords{"healthy", "thermal", "leak", "oom"};
}

TEST_CASE("closest: a mistyped word finds the one that was meant", "[core]") {
  CHECK(closest("helthy", kWords) == "healthy");
  CHECK(closest("THERMAL", kWords) == "thermal");
  CHECK(closest("laek", kWords) == "leak");
  CHECK(closest("oomm", kWords) == "oom");
}

TEST_CASE("closest: another word is not a mistyped one", "[core]") {
  CHECK_FALSE(closest("banana", kWords));
  CHECK_FALSE(closest("", kWords));
  CHECK_FALSE(closest("xyz", kWords));
  CHECK_FALSE(closest(std::string(100000, 'h'), kWords));
}
