// Processes on a GPU: the driver's layouts, lists and samples, and what must not be believed of them.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "nvml_fixture.hpp"

using namespace gputop;
using namespace gputop::literals;
using test::FakeNvml;
using test::read_once;
using test::Running;

namespace {

const std::string kThree =
    "gpu 0 process 101 type C memory 1GiB sm 40 encoder 1 decoder 2\n"
    "gpu 0 process 102 type G memory 2GiB sm 20\n"
    "gpu 0 process 103 type C+G memory unknown\n";

void check_three(const std::vector<GpuProcess>& processes) {
  REQUIRE(processes.size() == 3);
  CHECK(processes[0] == GpuProcess{101, GpuProcessType::kCompute, 1_GiB, 40_percent, 1_percent, 2_percent});
  CHECK(processes[1] == GpuProcess{102, GpuProcessType::kGraphics, 2_GiB, 20_percent, 0_percent, 0_percent});
  CHECK(processes[2] == GpuProcess{103, GpuProcessType::kBoth, {}, {}, {}, {}});
}

std::vector<GpuProcess> processes_of(const std::string& scenario) {
  auto gpu = read_once(scenario).at(0);
  REQUIRE(gpu.processes);
  return *gpu.processes;
}

}  // namespace

TEST_CASE("nvml: the lists are one row per process, memory unknown where the driver does not report it", "[nvml]") {
  check_three(processes_of(kThree));
}

TEST_CASE("nvml: every version of the process lists is understood", "[nvml]") {
  check_three(processes_of(kThree + "without nvmlDeviceGet*RunningProcesses_v3\n"));
  check_three(processes_of(kThree + "without nvmlDeviceGet*RunningProcesses_v3 nvmlDeviceGet*RunningProcesses_v2\n"));
}

TEST_CASE("nvml: the large records of drivers 535.43 to 535.86 are understood", "[nvml]") {
  check_three(processes_of(kThree + "quirk large_process_info\ndriver 535.54.03\n"));
  const auto one = processes_of("gpu 0 process 77 memory 3GiB\nquirk large_process_info\n");
  REQUIRE(one.size() == 1);
  CHECK(one[0].memory_used == 3_GiB);
}

TEST_CASE("nvml: more processes than expected make the buffers grow", "[nvml]") {
  for (const std::string quirk : {"", "quirk large_process_info\n", "without *_v3 *_v2\n"}) {
    std::string scenario = quirk;
    for (int pid = 1; pid <= 300; ++pid) {
      scenario += "gpu 0 process " + std::to_string(pid) + " memory " + std::to_string(pid) + "MiB sm " +
                  std::to_string(pid % 100) + "\n";
    }
    const auto all = processes_of(scenario);
    REQUIRE(all.size() == 300);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].pid == static_cast<std::int64_t>(i + 1));
      CHECK(all[i].memory_used == Bytes{(i + 1) << 20U});
      CHECK(all[i].utilization == Percent{static_cast<double>((i + 1) % 100)});
    }
  }
}

TEST_CASE("nvml: processes under MPS count as computing", "[nvml]") {
  const auto all = processes_of("gpu 0 process 55 type M memory 1GiB\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].type == GpuProcessType::kCompute);
}

TEST_CASE("nvml: lists that the driver refuses are unknown, not empty", "[nvml]") {
  CHECK_FALSE(read_once(kThree + "error nvmlDeviceGet*RunningProcesses* 3\n").at(0).processes);
  const auto graphics_only = processes_of(kThree + "error nvmlDeviceGetComputeRunningProcesses* 3\n");
  REQUIRE(graphics_only.size() == 2);
  CHECK(graphics_only[0].pid == 102);
}

TEST_CASE("nvml: more than 100 % of a process is nonsense and unknown", "[nvml]") {
  const auto all = processes_of("gpu 0 process 1 sm 4294967 memory 1\ngpu 0 process 2 sm 100 memory 1\n");
  REQUIRE(all.size() == 2);
  CHECK_FALSE(all[0].utilization);
  CHECK(all[1].utilization == 100_percent);
}

TEST_CASE("nvml: between the driver's samples the last one holds, then the process is idle", "[nvml]") {
  const FakeNvml fake{"gpu 0 process 9 sm 70 memory 1\n"};
  Running running{fake};
  for (int i = 0; i < 3; ++i) CHECK(running.read().gpus.at(0).processes->at(0).utilization == 70_percent);
  CHECK(running.read().gpus.at(0).processes->at(0).utilization == 0_percent);
  fake.set_time(1);  // a new sample
  CHECK(running.read().gpus.at(0).processes->at(0).utilization == 70_percent);
}

TEST_CASE("nvml: a process the driver has no sample of is unknown, also where sampling is refused", "[nvml]") {
  CHECK_FALSE(processes_of("gpu 0 process 9 memory 1\n").at(0).utilization);
  const auto refused =
      read_once("gpu 0 process 9 sm 5 memory 1\nerror nvmlDeviceGetProcessUtilization no_permission\n").at(0);
  CHECK_FALSE(refused.processes->at(0).utilization);
  CHECK(refused.error.empty());
}

TEST_CASE("nvml: processes come and go", "[nvml]") {
  const FakeNvml fake{"gpu 0 process 9 sm 70 memory 1 from 2 until 4\n"};
  Running running{fake};
  CHECK(running.read().gpus.at(0).processes->empty());
  fake.set_time(3);
  CHECK(running.read().gpus.at(0).processes->size() == 1);
  fake.set_time(4);
  CHECK(running.read().gpus.at(0).processes->empty());
}
