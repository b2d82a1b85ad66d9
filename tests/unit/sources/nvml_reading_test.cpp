// What a reading holds, through the fake library: every field, in our units, and unknown where the driver does not
// report it.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "nvml_fixture.hpp"

using namespace gputop;
using namespace gputop::literals;
using test::FakeNvml;
using test::read_once;
using test::Running;

namespace {

const std::string kEverything = R"(
driver 550.54.14
gpu * name "NVIDIA RTX {i}"
gpu * uuid "GPU-{i}"
gpu * bus_id "00000000:0{i}:00.0"
gpu * utilization 61+1i
gpu * memory_utilization 33
gpu * encoder 7
gpu * decoder 8
gpu * memory_total 24GiB
gpu * memory_used 7GiB+1MiBi
gpu * memory_reserved 300MiB
gpu * temperature 71
gpu * slowdown_temperature 95
gpu * fan 42
gpu * power 212.345
gpu * power_limit 350
gpu * max_power_limit 390
gpu * energy 1234.567
gpu * sm_clock 1695
gpu * memory_clock 9501
gpu * max_sm_clock 2100
gpu * max_memory_clock 9751
gpu * pcie_rx 1000
gpu * pcie_tx 2000
gpu * pcie_generation 3
gpu * pcie_width 8
gpu * max_pcie_generation 4
gpu * max_pcie_width 16
gpu * performance_state 2
gpu * persistence on
gpu * throttle sw_power_cap+hw_slowdown
gpu * ecc_corrected 3
gpu * ecc_uncorrected 1
gpu * compute_capability 8.6
gpu * nvlinks 4
gpu * active_nvlinks 3
gpu * nvlink_errors 17
gpu * mig off
)";

std::string gpus(int count) {
  return "gpus " + std::to_string(count) + "\n";
}

void check_everything(const GpuReading& gpu, unsigned i) {
  CAPTURE(i);
  CHECK(gpu.index == i);
  CHECK(gpu.name == "NVIDIA RTX " + std::to_string(i));
  CHECK(gpu.uuid == "GPU-" + std::to_string(i));
  CHECK(gpu.state == GpuState::kOk);
  CHECK(gpu.error.empty());
  CHECK(gpu.utilization == Percent{61.0 + i});
  CHECK(gpu.memory_utilization == 33_percent);
  CHECK(gpu.encoder == 7_percent);
  CHECK(gpu.decoder == 8_percent);
  CHECK(gpu.memory_total == 24_GiB);
  CHECK(gpu.temperature == 71_celsius);
  CHECK(gpu.slowdown_temperature == 95_celsius);
  CHECK(gpu.fan == 42_percent);
  CHECK(gpu.power == Watts{212.345});
  CHECK(gpu.power_limit == 350_W);
  CHECK(gpu.max_power_limit == 390_W);
  CHECK(gpu.energy == Joules{1234.567});
  CHECK(gpu.sm_clock == 1695_MHz);
  CHECK(gpu.memory_clock == 9501_MHz);
  CHECK(gpu.max_sm_clock == 2100_MHz);
  CHECK(gpu.max_memory_clock == 9751_MHz);
  CHECK(gpu.pcie_rx == BytesPerSecond{1000 * 1024.0});
  CHECK(gpu.pcie_tx == BytesPerSecond{2000 * 1024.0});
  CHECK(gpu.pcie == PcieLink{3, 8, 4, 16});
  CHECK(gpu.performance_state == 2U);
  CHECK(gpu.persistence == true);
  CHECK(gpu.throttle == ThrottleReasons{0xC});
  CHECK(gpu.ecc_corrected == 3U);
  CHECK(gpu.ecc_uncorrected == 1U);
  CHECK(gpu.compute_capability == ComputeCapability{8, 6});
  REQUIRE(gpu.nvlink);
  CHECK(gpu.nvlink->active == 3);
  CHECK(gpu.nvlink->total == 4);
  CHECK(gpu.nvlink->errors == 17U);
  CHECK(gpu.mig_enabled == false);
  CHECK(gpu.mig.empty());
  REQUIRE(gpu.processes);
  CHECK(gpu.processes->empty());
}

}  // namespace

TEST_CASE("nvml: a reading holds what the driver says, for 1, 8 and 64 GPUs", "[nvml]") {
  for (const int count : {1, 8, 64}) {
    const auto all = read_once(gpus(count) + kEverything);
    REQUIRE(all.size() == static_cast<std::size_t>(count));
    for (unsigned i = 0; i < all.size(); ++i) {
      check_everything(all[i], i);
      CHECK(all[i].memory_used == Bytes{(7ULL << 30U) + (static_cast<std::uint64_t>(i) << 20U)});
      CHECK(all[i].memory_reserved == 300_MiB);
    }
  }
}

TEST_CASE("nvml: without any _v2 or _v3 symbol every field is still there", "[nvml]") {
  const auto all = read_once(gpus(2) + kEverything + "without *_v2 *_v3\n");
  REQUIRE(all.size() == 2);
  check_everything(all[1], 1);
  CHECK(all[1].pci_bus_id == "0000:01:00.0");                           // the old call has a domain of four digits only
  CHECK(all[1].memory_used == Bytes{(7ULL << 30U) + (301ULL << 20U)});  // the old call counts what is reserved as used
  CHECK_FALSE(all[1].memory_reserved);
}

TEST_CASE("nvml: a newer call the driver refuses is replaced by the older one, and not asked for ever", "[nvml]") {
  const FakeNvml fake{gpus(1) + kEverything +
                      "error nvmlDeviceGetMemoryInfo_v2 25\n"
                      "error nvmlDeviceGetCurrentClocksEventReasons 13\n"
                      "error nvmlDeviceGetEnforcedPowerLimit not_supported\n"
                      "error nvmlDeviceGetTemperature 26\n"
                      "error nvmlDeviceGetPerformanceState 3\n"
                      "error nvmlDeviceGetFanSpeed 3\n"
                      "error nvmlDeviceGetHandleByIndex_v2 13\n"
                      "error nvmlDeviceGetCount_v2 13\n"
                      "error nvmlDeviceGetPciInfo_v3 13\n"
                      "error nvmlDeviceGetFieldValues 3\n"
                      "error nvmlDeviceGet*RunningProcesses_v3 13\n"};
  Running running{fake};
  for (int i = 0; i < 3; ++i) check_everything(running.read().gpus.at(0), 0);
  CHECK(fake.calls("nvmlDeviceGetMemoryInfo_v2") == 1);
  CHECK(fake.calls("nvmlDeviceGetComputeRunningProcesses_v3") == 1);
  CHECK(fake.calls("nvmlDeviceGetCurrentClocksEventReasons") == 1);
}

TEST_CASE("nvml: what the driver does not support is unknown, never zero", "[nvml]") {
  const auto all = read_once("gpus 1\n");
  GpuReading expected;
  expected.name = "Fake GPU";
  expected.uuid = all.at(0).uuid;
  expected.pci_bus_id = all.at(0).pci_bus_id;
  expected.processes.emplace();  // the lists answered: nobody there
  CHECK(all.at(0) == expected);
  CHECK_FALSE(expected.uuid.empty());
}

TEST_CASE("nvml: every symbol but the few that find a GPU may be missing", "[nvml]") {
  const auto bare = read_once(gpus(1) + kEverything +
                              "without nvmlDeviceGet[!CH]* nvmlDeviceGetCompute* nvmlDeviceGetClock* nvmlDeviceGetCu*\n"
                              "without nvmlSystem* nvmlEvent* nvmlDeviceR*\n");
  REQUIRE(bare.size() == 1);
  CHECK(bare[0].state == GpuState::kOk);
  CHECK(bare[0].name.empty());
  CHECK_FALSE(bare[0].utilization);
  CHECK_FALSE(bare[0].processes);
}

TEST_CASE("nvml: parts that share the host's memory have an unknown amount, not none", "[nvml]") {
  CHECK_FALSE(read_once("gpu 0 memory_total 0\n").at(0).memory_total);
  CHECK_FALSE(read_once("gpu 0 memory_total 0\n").at(0).memory_used);
  const auto used = read_once("gpu 0 memory_total 0\ngpu 0 memory_used 5GiB\n").at(0);
  CHECK_FALSE(used.memory_total);
  CHECK(used.memory_used == 5_GiB);
}

TEST_CASE("nvml: an error of one call costs one reading and is named", "[nvml]") {
  const auto gpu = read_once(gpus(1) + kEverything + "error nvmlDeviceGetPowerUsage 999\n").at(0);
  CHECK(gpu.state == GpuState::kOk);
  CHECK_FALSE(gpu.power);
  CHECK(gpu.temperature == 71_celsius);
  CHECK(gpu.error == "nvmlDeviceGetPowerUsage: unknown error (999)");
}

TEST_CASE("nvml: a GPU whose every call fails has failed, with the reason", "[nvml]") {
  const auto all =
      read_once(gpus(2) + kEverything + "gpu 1 error nvmlDeviceGet[T-Z]* 16\ngpu 1 error nvmlDeviceGet[A-GI-S]* 16\n");
  CHECK(all.at(0).state == GpuState::kOk);
  CHECK(all.at(1).state == GpuState::kFailed);
  CHECK(all.at(1).error == "nvmlDeviceGetUtilizationRates: GPU needs a reset (16)");
}

TEST_CASE("nvml: a performance state the driver does not know is unknown", "[nvml]") {
  CHECK_FALSE(read_once("gpu 0 performance_state 32\n").at(0).performance_state);
  CHECK(read_once("gpu 0 performance_state 0\n").at(0).performance_state == 0U);
}

TEST_CASE("nvml: --gpu reads only the GPUs asked for and touches no other", "[nvml]") {
  const FakeNvml fake{gpus(4) + kEverything + "gpu 0,2 hang nvmlDevice* at 0 for ever\n"};
  auto options = fake.options();
  options.gpus = {3, 1, 3};
  Running running{options};
  const auto all = running.read().gpus;
  REQUIRE(all.size() == 2);
  check_everything(all[0], 3);
  check_everything(all[1], 1);
}

TEST_CASE("nvml: values that change are read anew with each tick", "[nvml]") {
  const FakeNvml fake{
      "gpu 0 utilization steps 0:10 5:90\ngpu 0 power linear 0:100 10:200\ngpu 0 sm_clock cycle 2 500 600\n"
      "gpu 0 power_limit steps 0:300 5:250\ngpu 0 pcie_rx steps 0:1 5:2\n"};
  Running running{fake};
  const auto before = running.read().gpus.at(0);
  CHECK(before.utilization == 10_percent);
  CHECK(before.power == 100_W);
  CHECK(before.sm_clock == 500_MHz);
  CHECK(before.power_limit == 300_W);
  fake.set_time(7);
  const auto after = running.read().gpus.at(0);
  CHECK(after.utilization == 90_percent);
  CHECK(after.power == 170_W);
  CHECK(after.sm_clock == 600_MHz);
  CHECK(after.power_limit == 250_W);
  CHECK(after.pcie_rx == BytesPerSecond{2048});
}

TEST_CASE("nvml: MIG instances are listed with their memory", "[nvml]") {
  const auto gpu =
      read_once(
          "gpu 0 mig on\n"
          "gpu 0 instance 0 gi 7 ci 0 memory_total 10GiB memory_used 1GiB name \"MIG 1g.10gb\" uuid MIG-a\n"
          "gpu 0 instance 2 gi 9 ci 1\n"
          "gpu 0 process 4242 memory 1GiB gi 7 ci 0 sm 50\n"
          "gpu 0 process 4242 memory 2GiB gi 9 ci 1 sm 50\n")
          .at(0);
  CHECK(gpu.mig_enabled == true);
  REQUIRE(gpu.mig.size() == 2);
  CHECK(gpu.mig[0] == MigInstance{0, "MIG 1g.10gb", "MIG-a", 7, 0, 1_GiB, 10_GiB, 112U, {}});
  CHECK(gpu.mig[1].index == 2);
  CHECK(gpu.mig[1].gpu_instance == 9U);
  CHECK_FALSE(gpu.mig[1].memory_total);
  REQUIRE(gpu.processes);
  REQUIRE(gpu.processes->size() == 1);
  CHECK(gpu.processes->at(0).memory_used == 3_GiB);  // on both instances together
  CHECK_FALSE(gpu.processes->at(0).utilization);     // not to be had under MIG
}

TEST_CASE("nvml: under MIG the instances tell their processes where the whole GPU's list is refused", "[nvml]") {
  const auto gpu = read_once(
                       "gpu 0 mig on\n"
                       "gpu 0 instance 0 gi 7 ci 0\n"
                       "gpu 0 instance 1 gi 8 ci 0\n"
                       "gpu 0 process 4242 memory 1GiB gi 7 ci 0\n"
                       "gpu 0 process 4243 memory 2GiB gi 8 ci 0\n"
                       "quirk mig_lists_refused\n")
                       .at(0);
  REQUIRE(gpu.processes);
  REQUIRE(gpu.processes->size() == 2);
  CHECK(gpu.processes->at(0).pid == 4242);
  CHECK(gpu.processes->at(1).memory_used == 2_GiB);
  CHECK(gpu.error.empty());
}
