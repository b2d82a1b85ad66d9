// CPU time and NVML calls of one reading, beside the bare calls themselves: the same functions through the same
// pointers, with nothing done to the answers. Run by bench/sample, which passes the fake library.
#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../tests/fake_nvml/control.hpp"
#include "sources/nvml/reader.hpp"

namespace {

using namespace gputop;
using namespace gputop::nvml;

constexpr double kMostOverBare = 1.5;  // one reading of 8 GPUs
constexpr double kMostOver8 = 8.5;     // 64 GPUs against 8

// As a driver of today takes: most calls are one ioctl, some are dearer.
const std::string kRealCosts =
    "burn nvmlDeviceGet* 6us\n"
    "burn nvmlDeviceGetPowerUsage 40us\n"
    "burn nvmlDeviceGet*RunningProcesses* 60us\n"
    "burn nvmlDeviceGetProcessUtilization 120us\n";

std::string scenario(unsigned gpus) {
  return "gpus " + std::to_string(gpus) + R"(
gpu * name "NVIDIA GeForce RTX 3090"
gpu * utilization wave 20 95 30
gpu * memory_utilization 30
gpu * encoder 0
gpu * decoder 0
gpu * memory_total 24GiB
gpu * memory_used 7GiB
gpu * temperature 71
gpu * slowdown_temperature 95
gpu * fan 40
gpu * power wave 90 320 30
gpu * power_limit 350
gpu * max_power_limit 390
gpu * energy 5000
gpu * sm_clock 1695
gpu * memory_clock 9501
gpu * max_sm_clock 2100
gpu * max_memory_clock 9751
gpu * pcie_rx 100000
gpu * pcie_tx 50000
gpu * pcie_generation 4
gpu * pcie_width 16
gpu * max_pcie_generation 4
gpu * max_pcie_width 16
gpu * performance_state 2
gpu * persistence on
gpu * throttle 0
gpu * ecc_corrected 0
gpu * ecc_uncorrected 0
gpu * compute_capability 8.6
gpu * process 1001 memory 6GiB sm 80
gpu * process 1002 type G memory 200MiB
)";
}

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The calls a steady reading makes, in its order.
void call_bare(const Api& api, Device device) {
  unsigned number = 0;
  unsigned other = 0;
  unsigned long long large = 0;
  int state = 0;
  Utilization utilization{};
  MemoryV2 memory{};
  memory.version = version_of<MemoryV2>(2);
  alignas(16) static std::array<std::byte, 1024> processes;
  static std::array<ProcessUtilizationSample, 64> samples;
  static unsigned long long last_seen_us = 0;
  api.nvmlDeviceGetUtilizationRates.pointer(device, &utilization);
  api.nvmlDeviceGetMemoryInfo_v2.pointer(device, &memory);
  api.nvmlDeviceGetClockInfo.pointer(device, kClockSm, &number);
  api.nvmlDeviceGetClockInfo.pointer(device, kClockMemory, &number);
  api.nvmlDeviceGetTemperature.pointer(device, kTemperatureGpu, &number);
  api.nvmlDeviceGetPowerUsage.pointer(device, &number);
  api.nvmlDeviceGetCurrentClocksEventReasons.pointer(device, &large);
  api.nvmlDeviceGetPerformanceState.pointer(device, &state);
  api.nvmlDeviceGetEncoderUtilization.pointer(device, &number, &other);
  api.nvmlDeviceGetDecoderUtilization.pointer(device, &number, &other);
  api.nvmlDeviceGetEnforcedPowerLimit.pointer(device, &number);
  api.nvmlDeviceGetPersistenceMode.pointer(device, &state);
  api.nvmlDeviceGetCurrPcieLinkGeneration.pointer(device, &number);
  api.nvmlDeviceGetCurrPcieLinkWidth.pointer(device, &number);
  api.nvmlDeviceGetTotalEccErrors.pointer(device, kEccCorrected, kEccVolatile, &large);
  api.nvmlDeviceGetTotalEccErrors.pointer(device, kEccUncorrected, kEccVolatile, &large);
  api.nvmlDeviceGetPowerManagementDefaultLimit.pointer(device, &number);
  MarginTemperatureV1 margin{version_of<MarginTemperatureV1>(1), 0};
  api.nvmlDeviceGetMarginTemperature.pointer(device, &margin);
  int later = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  api.nvmlDeviceGetEccMode.pointer(device, &state, &later);
  api.nvmlDeviceGetRetiredPagesPendingStatus.pointer(device, &state);
  api.nvmlDeviceGetRemappedRows.pointer(device, &number, &other, &pending, &failed);
  FieldValue action{};
  api.nvmlDeviceGetFieldValues.pointer(device, 1, &action);
  api.nvmlDeviceGetPcieReplayCounter.pointer(device, &number);
  api.nvmlDeviceGetComputeMode.pointer(device, &state);
  api.nvmlDeviceGetMigMode.pointer(device, &number, &other);
  api.nvmlDeviceGetFanSpeed.pointer(device, &number);
  api.nvmlDeviceGetTotalEnergyConsumption.pointer(device, &large);
  for (const auto* list : {&api.nvmlDeviceGetComputeRunningProcesses_v3, &api.nvmlDeviceGetGraphicsRunningProcesses_v3,
                           &api.nvmlDeviceGetMPSComputeRunningProcesses_v3}) {
    number = 32;
    list->pointer(device, &number, processes.data());
  }
  number = samples.size();
  if (api.nvmlDeviceGetProcessUtilization.pointer(device, samples.data(), &number, last_seen_us) == Code::kSuccess) {
    last_seen_us = samples[0].time_us;
  }
  std::array<FieldValue, 9> fields{};
  api.nvmlDeviceGetFieldValues.pointer(device, static_cast<int>(fields.size()), fields.data());
  api.nvmlDeviceGetPcieThroughput.pointer(device, kPcieReceive, &number);
  api.nvmlDeviceGetPcieThroughput.pointer(device, kPcieTransmit, &number);
}

struct Cost {
  double reading_us = 0;
  double bare_us = 0;
  double ratio = 0;
  double calls = 0;
  double bare_calls = 0;
};

// The best of rounds that take turns: what else the machine does can only add to it.
Cost measure(FakeNvmlLoad* load,
             FakeNvmlCalls* calls,
             const std::string& library,
             const std::string& text,
             int repeat) {
  load(text.c_str());
  auto reader = NvmlReader::open(library);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().message.c_str());
    std::exit(2);
  }
  const auto devices = reader->devices();
  const auto read = [&] { reader->read_all(); };
  const auto bare = [&] {
    for (Device device : devices) call_bare(reader->api(), device);
  };
  read();  // what is asked only once
  const auto count = [&](const std::function<void()>& work) {
    const auto before = calls(nullptr);
    work();
    return static_cast<double>(calls(nullptr) - before);
  };
  const auto time = [&](const std::function<void()>& work) {
    const double before = cpu_seconds();
    for (int i = 0; i < repeat; ++i) work();
    return (cpu_seconds() - before) / repeat * 1e6;
  };
  Cost cost{1e9, 1e9, 0, 0, 0};
  for (int round = 0; round < 25; ++round) {
    cost.bare_us = std::min(cost.bare_us, time(bare));
    cost.reading_us = std::min(cost.reading_us, time(read));
  }
  cost.ratio = cost.reading_us / cost.bare_us;
  cost.calls = count(read);
  cost.bare_calls = count(bare);
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string library = argc > 1 ? argv[1] : "";
  void* handle = library.empty() ? nullptr : ::dlopen(library.c_str(), RTLD_NOW);
  if (handle == nullptr) {
    std::fprintf(stderr, "usage: bench_sample FAKE_LIBNVIDIA_ML (the script bench/sample does this)\n");
    return 2;
  }
  auto* load = reinterpret_cast<FakeNvmlLoad*>(::dlsym(handle, "fakeNvmlLoad"));
  auto* calls = reinterpret_cast<FakeNvmlCalls*>(::dlsym(handle, "fakeNvmlCalls"));
  bool met = true;
  const auto limit = [&](const char* what, double value, double most) {
    met &= value <= most;
    std::printf("limit    %-58s %6.2f  at most %.2f  %s\n", what, value, most, value <= most ? "met" : "NOT MET");
  };
  std::printf("%-10s %5s %12s %12s %7s %14s\n", "calls", "GPUs", "reading us", "bare us", "ratio", "NVML calls");
  for (const bool real : {true, false}) {
    Cost eight;
    for (const unsigned gpus : {1U, 8U, 64U}) {
      const int repeat = real ? 1 : static_cast<int>(640 / gpus);
      const auto cost = measure(load, calls, library, scenario(gpus) + (real ? kRealCosts : ""), repeat);
      std::printf("%-10s %5u %12.1f %12.1f %7.2f %7.0f %6.0f\n", real ? "realistic" : "free", gpus, cost.reading_us,
                  cost.bare_us, cost.ratio, cost.calls, cost.bare_calls);
      met &= cost.calls == cost.bare_calls;  // otherwise the comparison is not one
      if (gpus == 8) eight = cost;
      if (gpus == 8 && real) limit("one reading of 8 GPUs / its bare calls", cost.ratio, kMostOverBare);
      // Where calls cost nothing (no driver is so) caches and the allocator decide: figures, no limits.
      if (gpus == 64 && real) limit("64 GPUs / 8 GPUs", cost.reading_us / eight.reading_us, kMostOver8);
      if (gpus == 64 && !real) {
        std::printf("         64 GPUs / 8 GPUs: reading %.2f, bare %.2f\n", cost.reading_us / eight.reading_us,
                    cost.bare_us / eight.bare_us);
      }
    }
  }
  return met ? 0 : 1;
}
