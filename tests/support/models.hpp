// Models as the program would have them, made the only way there is: by events.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop::test {

using namespace gputop::literals;

inline WallTime test_wall() {
  return WallTime{std::chrono::milliseconds{1'800'000'000'000}};
}

inline GpuReading healthy_gpu(unsigned index, double phase = 0) {
  GpuReading gpu;
  gpu.index = index;
  gpu.name = "NVIDIA GeForce RTX 3090";
  gpu.uuid = "GPU-" + std::to_string(index);
  gpu.utilization = Percent{std::round(60 + 35 * std::sin(phase + index))};
  gpu.memory_utilization = 30_percent;
  gpu.encoder = 0_percent;
  gpu.decoder = 3_percent;
  gpu.memory_total = 24_GiB;
  gpu.memory_used = Bytes{(7_GiB).value() + static_cast<std::uint64_t>(1e9 * (1 + std::sin(phase / 3 + index)))};
  gpu.temperature = Celsius{std::round(66 + 8 * std::sin(phase / 5 + index))};
  gpu.slowdown_temperature = 93_celsius;
  gpu.fan = 45_percent;
  gpu.power = Watts{std::round(212 + 90 * std::sin(phase + index))};
  gpu.power_limit = 350_W;
  gpu.max_power_limit = 366_W;
  gpu.sm_clock = Megahertz{std::round(1695 + 40 * std::sin(phase))};
  gpu.memory_clock = 9501_MHz;
  gpu.pcie_rx = BytesPerSecond{1.2e9 + 4e8 * std::sin(phase)};
  gpu.pcie_tx = BytesPerSecond{3.1e8};
  gpu.pcie = {.generation = 4, .width = 16, .max_generation = 4, .max_width = 16};
  gpu.performance_state = 2;
  gpu.throttle = ThrottleReasons{index % 3 == 0 ? 0x4U : 0U};
  gpu.ecc_corrected = 0;
  gpu.ecc_uncorrected = 0;
  gpu.processes = std::vector<GpuProcess>{{.pid = 1000 + index,
                                           .type = GpuProcessType::kCompute,
                                           .memory_used = Bytes{(6_GiB).value() + index * 1000000},
                                           .utilization = Percent{std::round(50 + 30 * std::sin(phase))},
                                           .encoder = std::nullopt,
                                           .decoder = std::nullopt}};
  return gpu;
}

inline std::vector<GpuReading> healthy_gpus(unsigned count, double phase = 0) {
  std::vector<GpuReading> gpus;
  for (unsigned i = 0; i < count; ++i) gpus.push_back(healthy_gpu(i, phase));
  return gpus;
}

inline HostReading host_reading(unsigned cores = 16, double phase = 0) {
  HostReading host;
  host.hostname = "node7";
  host.cpu_count = cores;
  host.usable_cpus = cores / 2.0;
  host.cpu = Percent{std::round(40 + 20 * std::sin(phase))};
  host.io_wait = 2_percent;
  for (unsigned i = 0; i < cores; ++i) host.cores.emplace_back(Percent{std::round(50 + 45 * std::sin(phase + i))});
  host.load1 = 6.21;
  host.load5 = 5.8;
  host.load15 = 4.02;
  host.cpu_pressure = {Percent{12}, Percent{0}};
  host.memory_pressure = {Percent{0}, Percent{0}};
  host.io_pressure = {Percent{3}, Percent{1}};
  host.memory_total = 64_GiB;
  host.memory_used = 23_GiB;
  host.swap_total = 8_GiB;
  host.swap_used = 100_MiB;
  host.shm_total = 32_GiB;
  host.shm_used = 1_GiB;
  host.disks = {{"nvme0n1", BytesPerSecond{2.5e8}, BytesPerSecond{1e6}, 61_percent}};
  host.networks = {{"eth0", BytesPerSecond{1.2e6}, BytesPerSecond{3e5}}};
  host.cgroup = {.version = 2,
                 .memory_limit = 32_GiB,
                 .memory_used = 20_GiB,
                 .cpu_limit = 8.0,
                 .throttled = 0_percent,
                 .oom_kills = 0};
  return host;
}

inline ProcessReading process(std::int64_t pid, std::int64_t parent, std::string user, std::string command) {
  ProcessReading reading;
  reading.pid = pid;
  reading.parent = parent;
  reading.root = parent == 1 ? pid : parent;
  reading.started = test_wall() - std::chrono::minutes{pid % 100};
  reading.uid = user == "ada" ? 1000 : 1001;
  reading.user = std::move(user);
  reading.command = std::move(command);
  reading.state = 'R';
  reading.cpu = Percent{static_cast<double>(pid % 97)};
  reading.resident = Bytes{static_cast<std::uint64_t>(pid) << 20U};
  return reading;
}

inline std::vector<ProcessReading> training_processes(unsigned gpus) {
  std::vector<ProcessReading> processes;
  for (unsigned i = 0; i < gpus; ++i) {
    processes.push_back(
        process(1000 + i, 1, i % 4 == 3 ? "bob" : "ada", "python train.py --rank " + std::to_string(i)));
  }
  processes.push_back(process(2000, 1000, "ada", "python train.py (pt_data_worker)"));
  processes.push_back(process(2001, 1000, "ada", "python 学習.py 🚀 e\u0301te\u0301"));
  return processes;
}

// A stream of events, one call each.
class Stream {
 public:
  Model model;

  explicit Stream(bool simulated = false) {
    feed(0, StreamStarted{test_wall(), "0.1.0", "node7", std::chrono::seconds{1}});
    feed(0, SourceStatus{simulated ? "sim:healthy" : "nvml", SourceStatus::State::kOk, "", "550.54.14", simulated});
  }
  void feed(double seconds, Payload payload) { update(model, Event{at_seconds(seconds), std::move(payload)}); }

  // One tick per second of a machine at work.
  void run(unsigned gpus, int from, int to, unsigned cores = 16) {
    for (int t = from; t < to; ++t) {
      feed(t, HostSampled{host_reading(cores, t / 7.0)});
      feed(t, GpusSampled{healthy_gpus(gpus, t / 9.0)});
      feed(t, ProcessesSampled{training_processes(gpus)});
    }
  }
};

inline Model working_model(unsigned gpus, int seconds = 300, bool simulated = false) {
  Stream stream{simulated};
  stream.run(gpus, 0, seconds);
  return stream.model;
}

}  // namespace gputop::test
