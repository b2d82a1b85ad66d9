// What the advisor learns of GPUs beyond their means: leaks, sensor errors, extremes over the whole of a log.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/app/gather_facts.hpp"
#include "model_events.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;

namespace {

GpuReading at_work(double utilization, double watts = 200) {
  auto reading = gpu(0, "GPU-0", utilization);
  reading.memory_used = 6_GiB;
  reading.memory_total = 24_GiB;
  reading.power = Watts{watts};
  reading.power_limit = 350_W;
  reading.memory_utilization = 40_percent;
  return reading;
}

}  // namespace

TEST_CASE("gpu facts: what lies before the window does not count, unless all is asked for", "[app]") {
  Model model;
  for (int i = 0; i < 300; ++i) feed(model, i, gpus({at_work(i < 170 ? 0 : 90)}));
  const auto recent = gather_facts(model).gpus.at(0);
  CHECK(recent.utilization->value() == Approx(90));
  CHECK(recent.utilization_min == 90_percent);
  CHECK(recent.memory_busy == 40_percent);
  CHECK(recent.power->value() == Approx(200));
  CHECK(recent.power_limit == 350_W);
  const auto whole = gather_facts(model, model.now.time_since_epoch()).gpus.at(0);
  CHECK(whole.utilization->value() == Approx(39));
  CHECK(whole.utilization_min == 0_percent);
  CHECK(whole.utilization_max == 90_percent);
}

TEST_CASE("gpu facts: memory that grows all the time has a slope, a jump has none to speak of", "[app]") {
  Model growing;
  Model jumping;
  for (int i = 0; i < 200; ++i) {
    auto reading = at_work(90);
    reading.memory_used = Bytes{(4_GiB).value() + static_cast<std::uint64_t>(i) * (10_MiB).value()};
    feed(growing, i, gpus({reading}));
    reading.memory_used = i < 100 ? 4_GiB : 8_GiB;
    feed(jumping, i, gpus({reading}));
  }
  CHECK(*gather_facts(growing).gpus.at(0).memory_slope == Approx(10.0 * (1 << 20)));
  CHECK(*gather_facts(jumping).gpus.at(0).memory_slope == Approx(0).margin(1));
}

TEST_CASE("gpu facts: a power spike on a board without a known limit is a sensor error and in no mean", "[app]") {
  Model model;
  for (int i = 0; i < 40; ++i) {
    auto reading = at_work(12, i == 20 ? 590 : 27);
    reading.power_limit.reset();
    feed(model, i, gpus({reading}));
  }
  const auto seen = gather_facts(model).gpus.at(0);
  CHECK(seen.power->value() == Approx(27));
  CHECK(seen.sensor_errors == 1);
  CHECK(seen.sensor_error.find("590 W") != std::string::npos);
}

TEST_CASE("gpu facts: the link of a GPU that has just become idle is not its link under load", "[app]") {
  Model model;
  const auto link = [](double utilization, unsigned width) {
    auto reading = at_work(utilization);
    reading.pcie = {.generation = 4, .width = width, .max_generation = 4, .max_width = 16};
    return reading;
  };
  for (int i = 0; i < 100; ++i) feed(model, i, gpus({link(95, 16)}));
  CHECK(gather_facts(model).gpus.at(0).pcie.width == 16U);
  for (int i = 100; i < 110; ++i) feed(model, i, gpus({link(0, 1)}));
  const auto idle = gather_facts(model).gpus.at(0);
  CHECK(idle.utilization->value() > 30);  // on average
  CHECK_FALSE(idle.pcie.width);
  feed(model, 110, gpus({link(95, 8)}));  // and this is one that is degraded
  CHECK(gather_facts(model).gpus.at(0).pcie.width == 8U);
}
