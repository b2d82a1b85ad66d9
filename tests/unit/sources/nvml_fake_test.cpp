// The fake library itself: a scenario that is wrong says where, and a symbol left out is really gone.
#include <catch2/catch_test_macros.hpp>

#include "nvml_fixture.hpp"

using gputop::test::FakeNvml;
using gputop::test::scenario_problem;

TEST_CASE("fake nvml: a wrong line is named with its number", "[nvml]") {
  CHECK(scenario_problem("gpus 2\n\n# fine\ngpu 0 utilisation 5\n") == "4: \"utilisation\" is not known of a GPU");
  CHECK(scenario_problem("gpu 3 fan 5\n") == "1: \"3\": there are 1 GPUs, from 0");
  CHECK(scenario_problem("gpu 0 fan fast\n") ==
        "1: \"fast\" is not a number (as 12.5, 24GiB, 0x4, on, sw_power_cap, 10+5i)");
  CHECK(scenario_problem("gpu 0 fan 5 6\n") == "1: \"6\" after the value is not understood");
  CHECK(scenario_problem("gpu 0 name \"open\nfan 5\n") == "1: a \" is not closed");
  CHECK(scenario_problem("hang nvmlInit_v2 at soon\n") == "1: \"soon\" is not a time (as 20ms, 50us, 3s, forever)");
  CHECK(scenario_problem("gpu 0 process 5 colour red\n") == "1: \"colour\" is not known here");
  CHECK(scenario_problem("gpu 0 fan cycle 0 5\n") == "1: the period must be above 0 s");
  CHECK(scenario_problem("sing\n").starts_with("1: \"sing\" does not begin a line"));
  CHECK(scenario_problem("gpus 3\ngpu 0-1,2 fan wave 1 9 3\n").empty());
}

TEST_CASE("fake nvml: a symbol left out is not found by dlsym, others are", "[nvml]") {
  const FakeNvml fake{"without nvmlDeviceGetMemoryInfo_v2 nvmlDeviceGet*RunningProcesses_v3\n"};
  CHECK_FALSE(fake.has("nvmlDeviceGetMemoryInfo_v2"));
  CHECK_FALSE(fake.has("nvmlDeviceGetComputeRunningProcesses_v3"));
  CHECK(fake.has("nvmlDeviceGetMemoryInfo"));
  CHECK(fake.has("nvmlDeviceGetComputeRunningProcesses_v2"));
}
