#include "gputop/core/gpu.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"

using namespace gputop;

TEST_CASE("throttle: stable names in the order of the bits, unknown bits by their number", "[core]") {
  CHECK(throttle_names(ThrottleReasons{}).empty());
  CHECK(throttle_names(ThrottleReasons{0x1FF}) == std::vector<std::string>{"gpu_idle", "applications_clocks_setting",
                                                                           "sw_power_cap", "hw_slowdown", "sync_boost",
                                                                           "sw_thermal_slowdown", "hw_thermal_slowdown",
                                                                           "hw_power_brake", "display_clock_setting"});
  CHECK(throttle_names(ThrottleReasons{0x204}) == std::vector<std::string>{"sw_power_cap", "0x200"});
  CHECK(throttle_names(ThrottleReasons{std::uint64_t{1} << 63U}) == std::vector<std::string>{"0x8000000000000000"});
}

TEST_CASE("throttle: in words, worst first", "[core]") {
  CHECK(throttle_in_words(ThrottleReasons{0x4}) == "power cap");
  CHECK(throttle_in_words(ThrottleReasons{0x24}) == "thermal, power cap");
  CHECK(throttle_in_words(ThrottleReasons{0x8}) == "hardware slowdown");
}

TEST_CASE("throttle: the general bit says nothing beside its cause", "[core]") {
  CHECK(throttle_in_words(ThrottleReasons{0x48}) == "thermal (hardware)");
  CHECK(throttle_in_words(ThrottleReasons{0x88}) == "power brake");
}

TEST_CASE("throttle: an idle GPU is not slowed down", "[core]") {
  CHECK(throttle_in_words(ThrottleReasons{}).empty());
  CHECK(throttle_in_words(ThrottleReasons{0x1}).empty());
  CHECK(throttle_in_words(ThrottleReasons{0x5}) == "power cap");
}

TEST_CASE("names: of states, process types and events", "[core]") {
  CHECK(to_string(GpuState::kNotAnswering) == "not answering");
  CHECK(to_string(GpuState::kLost) == "lost");
  CHECK(to_string(GpuProcessType::kBoth) == "C+G");
  CHECK(to_string(GpuHappened::Kind::kEccUncorrected) == "ecc_uncorrected");
  CHECK(to_string(Noted::Severity::kWarning) == "warning");
}

TEST_CASE("result: holds a value or says what went wrong", "[core]") {
  Result<std::string> good = std::string{"value"};
  REQUIRE(good);
  CHECK(*good == "value");
  CHECK(good->size() == 5);
  const Result<std::string> bad = Error{Error::Kind::kNotFound, "no such file"};
  CHECK_FALSE(bad.ok());
  CHECK(bad.error() == Error{Error::Kind::kNotFound, "no such file"});
  CHECK(success().ok());
}
