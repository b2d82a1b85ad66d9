// What modern drivers count and old ones do not: rates, time slowed down, what the chip did. Three generations of them.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "nvml_fixture.hpp"
#include "sources/nvml/reader.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;
using test::FakeNvml;

namespace {

const std::string kCard = R"(
gpus 2
gpu * name "NVIDIA H100"
gpu * utilization 99
gpu * memory_total 80GiB
gpu * pcie_rx 1000
gpu * pcie_tx 2000
)";
const std::string kOld = "driver 470.256.02\nwithout nvmlGpm*\n" + kCard;
const std::string kMiddle =
    "driver 535.183.01\n" + kCard + "gpu * memory_temperature 88\ngpu * power_cap_time linear 0:0 100:25\n";
const std::string kNew = "driver 580.65.06\n" + kCard + R"(
gpu * memory_temperature 91
gpu * pcie_tx_bytes linear 0:0 100:1000000000
gpu * pcie_rx_bytes linear 0:5000 100:2000005000
gpu * nvlink_tx_bytes linear 0:0 100:3072000000
gpu * nvlink_rx_bytes linear 0:0 100:4096000000
gpu * power_cap_time linear 0:1 100:51
gpu * sw_thermal_time linear 0:0 100:10
gpu * hw_thermal_time 7
gpu * power_brake_time linear 0:0 100:400
gpu * gpm_sm 62
gpu * gpm_occupancy 31.5
gpu * gpm_tensor 30.6
gpu * gpm_dram 48
)";

// The second reading, ten seconds after the first.
struct Two {
  explicit Two(const std::string& scenario) : fake(scenario) {
    fake.set_time(0);
    auto reader = nvml::NvmlReader::open(fake.path());
    REQUIRE(reader);
    first = reader->read_all();
    fake.set_time(10);
    second = reader->read_all();
  }
  FakeNvml fake;
  std::vector<GpuReading> first;
  std::vector<GpuReading> second;
};

}  // namespace

TEST_CASE("a new driver's counters become rates and shares of time", "[nvml]") {
  const Two two{kNew};
  REQUIRE(two.second.size() == 2);
  for (const auto& gpu : two.second) {
    CHECK(gpu.error.empty());
    CHECK(gpu.pcie_tx->value() == Approx(1e7));
    CHECK(gpu.pcie_rx->value() == Approx(2e7));
    CHECK(gpu.nvlink_tx->value() == Approx(3.072e7).epsilon(1e-3));
    CHECK(gpu.nvlink_rx->value() == Approx(4.096e7).epsilon(1e-3));
    CHECK(gpu.memory_temperature == 91_celsius);
    CHECK(gpu.slowed.power_cap->value() == Approx(50));
    CHECK(gpu.slowed.software_thermal->value() == Approx(10));
    CHECK(gpu.slowed.hardware_thermal->value() == Approx(0));
    CHECK(gpu.slowed.power_brake->value() == Approx(100));  // never more than all of the time
    CHECK(gpu.activity.sm->value() == Approx(62));
    CHECK(gpu.activity.occupancy->value() == Approx(31.5));
    CHECK(gpu.activity.tensor->value() == Approx(30.6));
    CHECK(gpu.activity.dram->value() == Approx(48));
  }
  CHECK(two.fake.calls("nvmlDeviceGetPcieThroughput") == 0);  // the call that blocks
}

TEST_CASE("of one reading no rate is known", "[nvml]") {
  const Two two{kNew};
  const auto& gpu = two.first.front();
  CHECK_FALSE(gpu.pcie_tx);
  CHECK_FALSE(gpu.slowed.power_cap);
  CHECK_FALSE(gpu.activity.sm);
  CHECK_FALSE(gpu.nvlink_rx);
  CHECK(gpu.memory_temperature == 91_celsius);
}

TEST_CASE("a driver without the counters goes on as before, and what it does not count is unknown", "[nvml]") {
  for (const auto& [scenario, middle] : {std::pair{kOld, false}, std::pair{kMiddle, true}}) {
    CAPTURE(middle);
    const Two two{scenario};
    const auto& gpu = two.second.front();
    CHECK(gpu.error.empty());
    CHECK(gpu.pcie_rx == BytesPerSecond{1000 * 1024});
    CHECK(gpu.pcie_tx == BytesPerSecond{2000 * 1024});
    CHECK(two.fake.calls("nvmlDeviceGetPcieThroughput") == 8);
    CHECK_FALSE(gpu.nvlink_rx);
    CHECK(gpu.activity == GpuActivity{});
    CHECK_FALSE(gpu.slowed.software_thermal);
    CHECK(gpu.memory_temperature.has_value() == middle);
    CHECK(gpu.slowed.power_cap.has_value() == middle);
    CHECK(two.fake.calls("nvmlGpmSampleGet") == 0);
  }
}

TEST_CASE("a driver without field values at all is asked once", "[nvml]") {
  const Two two{"without nvmlDeviceGetFieldValues\n" + kNew};
  CHECK(two.second.front().pcie_rx == BytesPerSecond{1000 * 1024});
  CHECK_FALSE(two.second.front().memory_temperature);
  CHECK(two.second.front().error.empty());
}

TEST_CASE("a counter that wraps makes one reading unknown, not wrong", "[nvml]") {
  const Two two{kNew + "gpu 0 pcie_tx_bytes steps 0:4000000000 5:100\n"};
  CHECK_FALSE(two.second[0].pcie_tx);
  CHECK(two.second[0].pcie_rx);
  CHECK(two.second[1].pcie_tx);
}

TEST_CASE("GPM that is refused is not asked for again, and is no trouble", "[nvml]") {
  const Two refused{kNew + "error nvmlGpmSampleGet no_permission\n"};
  CHECK(refused.second.front().activity == GpuActivity{});
  CHECK(refused.second.front().error.empty());
  CHECK(refused.fake.calls("nvmlGpmSampleGet") == 2);  // one a GPU
  const Two unsupported{kNew + "error nvmlGpmQueryDeviceSupport not_supported\n"};
  CHECK(unsupported.second.front().activity == GpuActivity{});
  CHECK(unsupported.fake.calls("nvmlGpmSampleGet") == 0);
  const Two broken{kNew + "error nvmlGpmMetricsGet unknown\n"};
  CHECK(broken.second.front().activity == GpuActivity{});
  CHECK(broken.second.front().error.empty());
}

TEST_CASE("a GPU that is lost inside GPM is lost", "[nvml]") {
  const Two two{kNew + "gpu 0 error nvmlGpmSampleGet gpu_is_lost from 5\n"};
  CHECK(two.second[0].activity == GpuActivity{});
  CHECK(two.second[1].activity.sm);
}

TEST_CASE("MIG instances have their own activity, the card has none", "[nvml]") {
  const Two two{
      kNew +
      "gpu 0 mig on\ngpu 0 instance 0 gi 1 ci 0 memory_total 10GiB\ngpu 0 instance 1 gi 2 ci 0 memory_total 20GiB\n"};
  const auto& gpu = two.second[0];
  REQUIRE(gpu.mig.size() == 2);
  CHECK(gpu.activity == GpuActivity{});
  CHECK(gpu.mig[0].activity.sm->value() == Approx(61));
  CHECK(gpu.mig[1].activity.sm->value() == Approx(60));
  CHECK(gpu.mig[0].multiprocessors == 28U);
  CHECK(two.second[1].activity.sm->value() == Approx(62));
}
