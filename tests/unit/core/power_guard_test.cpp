#include "gputop/core/power_guard.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;
using namespace gputop::literals;

namespace {

GpuReading draws(double watts, std::optional<double> utilization = 10) {
  GpuReading gpu;
  gpu.power = Watts{watts};
  if (utilization) gpu.utilization = Percent{*utilization};
  return gpu;
}

PowerGuard after_a_while(double watts = 27) {
  PowerGuard guard;
  for (int i = 0; i < 5; ++i) guard.check(draws(watts));
  return guard;
}

}  // namespace

TEST_CASE("power guard: a lone spike on a GPU that hardly works is the sensor's fault", "[core]") {
  auto guard = after_a_while();
  const auto error = guard.check(draws(590, 11));
  REQUIRE(error);
  CHECK(error->metric == "power");
  CHECK(error->text == "power 590 W is far above all this board drew before (27 W): sensor error");
  CHECK_FALSE(guard.check(draws(28)));
  CHECK(guard.check(draws(590, 11)));  // it was not learnt from
}

TEST_CASE("power guard: a GPU that begins to work may draw what it likes", "[core]") {
  auto guard = after_a_while();
  CHECK_FALSE(guard.check(draws(340, 98)));
  CHECK_FALSE(guard.check(draws(345, 5)));
}

TEST_CASE("power guard: where the work is unknown, the next reading decides", "[core]") {
  auto guard = after_a_while();
  CHECK(guard.check(draws(340, std::nullopt)));
  CHECK_FALSE(guard.check(draws(338, std::nullopt)));
  CHECK_FALSE(guard.check(draws(345, std::nullopt)));
}

TEST_CASE("power guard: silent with a known limit, before enough was seen, for small boards, and without a reading",
          "[core]") {
  auto guard = after_a_while();
  auto limited = draws(590);
  limited.power_limit = 600_W;
  CHECK_FALSE(guard.check(limited));
  CHECK_FALSE(PowerGuard{}.check(draws(590)));
  auto small = after_a_while(5);
  CHECK_FALSE(small.check(draws(60)));
  CHECK_FALSE(guard.check(GpuReading{}));
}
