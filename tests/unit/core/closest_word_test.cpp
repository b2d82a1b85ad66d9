#include "gputop/core/closest_word.hpp"

#include <array>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

constexpr std::array<std::string_view, 5> kWords{"snapshot", "replay", "theme", "interval", "gpu"};

TEST_CASE("closest_word: finds a mistyped word", "[core]") {
  CHECK(closest_word("snapsot", kWords) == "snapshot");
  CHECK(closest_word("Interval", kWords) == "interval");
  CHECK(closest_word("intreval", kWords) == "interval");
  CHECK(closest_word("gpus", kWords) == "gpu");
  CHECK(closest_word("hteme", kWords) == "theme");
}

TEST_CASE("closest_word: says nothing when nothing is near", "[core]") {
  CHECK_FALSE(closest_word("banana", kWords));
  CHECK_FALSE(closest_word("", kWords));
  CHECK_FALSE(closest_word("x", kWords));
  CHECK_FALSE(closest_word(std::string(100'000, 'a'), kWords));
  CHECK_FALSE(closest_word("theme", {}));
}

TEST_CASE("did_you_mean: is the end of a message or nothing", "[core]") {
  CHECK(did_you_mean("relpay", kWords) == " (did you mean replay?)");
  CHECK(did_you_mean("banana", kWords).empty());
}

}  // namespace
}  // namespace gputop
