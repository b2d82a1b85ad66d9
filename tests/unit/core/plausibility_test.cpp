#include "gputop/core/plausibility.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;
using namespace gputop::literals;

namespace {

GpuReading laptop_gpu() {
  GpuReading gpu;
  gpu.power_limit = 80_W;
  gpu.max_power_limit = 115_W;
  gpu.power = 26.8_W;
  gpu.temperature = 62_celsius;
  gpu.utilization = 11_percent;
  gpu.memory_used = 167_MiB;
  gpu.memory_total = 6141_MiB;
  return gpu;
}

}  // namespace

TEST_CASE("plausibility: an ordinary reading has no errors and comes back unchanged", "[core]") {
  const auto gpu = laptop_gpu();
  CHECK(sensor_errors(gpu).empty());
  CHECK(without_sensor_errors(gpu).gpu == gpu);
}

TEST_CASE("plausibility: 590 W on a board that may be set to 115 W at most", "[core]") {
  auto gpu = laptop_gpu();
  gpu.power = 590_W;
  const auto screened = without_sensor_errors(gpu);
  REQUIRE(screened.errors.size() == 1);
  CHECK(screened.errors[0] ==
        SensorError{"power", "power 590 W is above any limit of this board (115 W): sensor error"});
  CHECK_FALSE(screened.gpu.power);
  gpu.power.reset();
  CHECK(screened.gpu == gpu);  // nothing else was touched
}

TEST_CASE("plausibility: a real board overshoots its limit for moments", "[core]") {
  auto gpu = laptop_gpu();
  gpu.power = 172_W;
  CHECK(sensor_errors(gpu).empty());
  gpu.power = 173_W;
  CHECK(sensor_errors(gpu).size() == 1);
}

TEST_CASE("plausibility: the highest limit known counts", "[core]") {
  auto gpu = laptop_gpu();
  gpu.power = 200_W;
  gpu.max_power_limit.reset();
  gpu.power_limit = 150_W;
  CHECK(sensor_errors(gpu).empty());
  gpu.power_limit = 80_W;
  CHECK(sensor_errors(gpu).size() == 1);
  gpu.max_power_limit = 350_W;
  CHECK(sensor_errors(gpu).empty());
}

TEST_CASE("plausibility: without a limit only what no board draws is an error", "[core]") {
  auto gpu = laptop_gpu();
  gpu.power_limit.reset();
  gpu.max_power_limit.reset();
  gpu.power = 590_W;
  CHECK(sensor_errors(gpu).empty());
  gpu.power = 3001_W;
  CHECK(sensor_errors(gpu).size() == 1);
  gpu.power = 3001_W;
  gpu.power_limit = 0_W;  // a limit of nothing is no limit
  CHECK(sensor_errors(gpu).at(0).text == "power 3001 W is more than any board draws: sensor error");
  gpu.power = Watts{-5};
  CHECK(sensor_errors(gpu).at(0).text == "power -5 W is impossible: sensor error");
}

TEST_CASE("plausibility: temperatures, utilisation and memory that cannot be", "[core]") {
  auto gpu = laptop_gpu();
  gpu.temperature = 255_celsius;
  gpu.utilization = 101_percent;
  gpu.memory_used = 7_GiB;
  const auto [screened, errors] = without_sensor_errors(gpu);
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].metric == "temperature");
  CHECK(errors[0].text == "temperature 255 °C is impossible: sensor error");
  CHECK(errors[1].metric == "utilization");
  CHECK(errors[2].metric == "memory_used");
  CHECK(errors[2].text == "memory used 7.0 GiB is more than there is (6.0 GiB): sensor error");
  CHECK_FALSE(screened.temperature);
  CHECK_FALSE(screened.utilization);
  CHECK_FALSE(screened.memory_used);
  CHECK(screened.memory_total == 6141_MiB);
  CHECK(screened.power == 26.8_W);
}

TEST_CASE("plausibility: the edges are still possible", "[core]") {
  auto gpu = laptop_gpu();
  gpu.utilization = 100_percent;
  gpu.temperature = 0_celsius;
  gpu.memory_used = gpu.memory_total;
  gpu.power = 0_W;
  CHECK(sensor_errors(gpu).empty());
}

TEST_CASE("plausibility: the unknown is never an error, nor is memory on a board that has none of its own", "[core]") {
  CHECK(sensor_errors(GpuReading{}).empty());
  auto gpu = laptop_gpu();
  gpu.memory_total = 0_B;
  CHECK(sensor_errors(gpu).empty());
}
