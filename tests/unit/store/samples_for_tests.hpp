// Events for the tests of recordings: full, empty, many, odd.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop::testing {

// Every reading known, with values that rounding does not change.
inline GpuReading full_gpu(unsigned index) {
  GpuReading gpu;
  gpu.index = index;
  gpu.name = "NVIDIA H100 80GB HBM3";
  gpu.uuid = "GPU-" + std::to_string(index);
  gpu.pci_bus_id = "00000000:1" + std::to_string(index) + ":00.0";
  gpu.state = GpuState::kNotAnswering;
  gpu.error = "no answer for 3 s";
  gpu.utilization = Percent{97};
  gpu.memory_utilization = Percent{41};
  gpu.encoder = Percent{3};
  gpu.decoder = Percent{0};
  gpu.memory_used = Bytes{7945689497};
  gpu.memory_total = Bytes{85899345920};
  gpu.memory_reserved = Bytes{18446744073709551615ULL};
  gpu.temperature = Celsius{71};
  gpu.slowdown_temperature = Celsius{87};
  gpu.fan = Percent{55};
  gpu.power = Watts{212.3};
  gpu.power_limit = Watts{350};
  gpu.max_power_limit = Watts{400.5};
  gpu.energy = Joules{123456789};
  gpu.sm_clock = Megahertz{1695};
  gpu.memory_clock = Megahertz{9751};
  gpu.max_sm_clock = Megahertz{2100};
  gpu.max_memory_clock = Megahertz{9751};
  gpu.pcie_rx = BytesPerSecond{1.31e9};
  gpu.pcie_tx = BytesPerSecond{870};
  gpu.pcie = {4, 16, 5, 16};
  gpu.performance_state = 2;
  gpu.persistence = true;
  gpu.throttle = ThrottleReasons{0x24};
  gpu.ecc_corrected = 12;
  gpu.ecc_uncorrected = 0;
  gpu.compute_capability = ComputeCapability{8, 6};
  gpu.nvlink = NvLinks{12, 18, 5};
  gpu.nvlink_rx = BytesPerSecond{4e9};
  gpu.nvlink_tx = BytesPerSecond{3e9};
  gpu.memory_temperature = Celsius{88};
  gpu.activity = {.sm = Percent{62}, .occupancy = Percent{40}, .tensor = Percent{31}, .dram = Percent{48}};
  gpu.slowed = {
      .power_cap = Percent{50}, .software_thermal = Percent{3}, .hardware_thermal = Percent{0}, .power_brake = {}};
  gpu.health.thermal_margin = Celsius{12};
  gpu.health.recovery_action = 1;
  gpu.mig_enabled = true;
  gpu.mig = {{0, "1g.10gb", "MIG-a" + std::to_string(index), 7, 0, Bytes{1}, Bytes{10}},
             {1, "2g.20gb", "MIG-b" + std::to_string(index), {}, {}, {}, {}}};
  gpu.processes = {{4000 + index, GpuProcessType::kBoth, Bytes{123}, Percent{50}, Percent{1}, Percent{2}},
                   {5000 + index, GpuProcessType::kGraphics, {}, {}, {}, {}}};
  return gpu;
}

inline HostReading full_host() {
  HostReading host;
  host.hostname = "knoten-ä";
  host.cpu_count = 4;
  host.usable_cpus = 3.5;
  host.cpu = Percent{40.1};
  host.io_wait = Percent{0.3};
  host.cores = {Percent{35}, std::nullopt, Percent{100}, Percent{0}};
  host.load1 = 1.25;
  host.load5 = 0.75;
  host.load15 = 0;
  host.cpu_pressure = {Percent{1.5}, std::nullopt};
  host.memory_pressure = {Percent{0}, Percent{0.1}};
  host.io_pressure = {Percent{12}, Percent{11.5}};
  host.memory_total = Bytes{33554432123};
  host.memory_used = Bytes{20123000000};
  host.swap_total = Bytes{0};
  host.swap_used = Bytes{0};
  host.shm_total = Bytes{16777216061};
  host.shm_used = Bytes{4096};
  host.disks = {{"nvme0n1", BytesPerSecond{1.2e8}, BytesPerSecond{0}, Percent{20}}, {"sda", {}, {}, {}}};
  host.networks = {{"eth0", BytesPerSecond{366000}, std::nullopt}};
  host.cgroup = {2, Bytes{8589934592}, Bytes{4096000}, 2.5, Percent{12.5}, 3};
  host.oom_kills = 1;
  return host;
}

inline ProcessReading full_process(std::int64_t pid) {
  ProcessReading process;
  process.pid = pid;
  process.parent = 1;
  process.root = pid;
  process.started = WallTime{std::chrono::milliseconds{1794801068123}};
  process.uid = 1000;
  process.user = "ada";
  process.command = "python -u \"train\".py\t--name ünïcode 日本 \\ /";
  process.state = 'D';
  process.threads = 40;
  process.cpu = Percent{397};
  process.cpu_time = std::chrono::seconds{1234};
  process.resident = Bytes{8123000000};
  process.read = BytesPerSecond{5120};
  process.write = BytesPerSecond{0};
  process.asked = BytesPerSecond{123000};
  process.involuntary_switches = 31;
  return process;
}

// One of every kind, and the odd cases of each.
inline std::vector<Event> every_kind() {
  GpuReading unknown;
  unknown.index = 1;
  GpuReading nobody = full_gpu(2);
  nobody.processes = std::vector<GpuProcess>{};
  nobody.mig.clear();
  return {
      {at_seconds(0), StreamStarted{WallTime{std::chrono::milliseconds{1794801068000}}, "0.1.0", "knoten-ä",
                                    std::chrono::milliseconds{500}}},
      {at_seconds(0), SourceStatus{"nvml", SourceStatus::State::kOk, "", "550.54.15", false}},
      {at_seconds(0), SourceStatus{"sim:healthy", SourceStatus::State::kUnavailable, "why “not”\n\t\x01", "", true}},
      {at_seconds(1), GpusSampled{{full_gpu(0), unknown, nobody}}},
      {at_seconds(1), HostSampled{full_host()}},
      {at_seconds(1), ProcessesSampled{{full_process(4000), full_process(4001), ProcessReading{}}}},
      {at_seconds(2), GpusSampled{}},
      {at_seconds(2), HostSampled{}},
      {at_seconds(2), ProcessesSampled{}},
      {at_seconds(2.5), GpuHappened{3, GpuHappened::Kind::kXid, 79, "fallen off the bus"}},
      {at_seconds(2.5), GpuHappened{0, GpuHappened::Kind::kSensorError, 0, "590 W"}},
      {at_seconds(3), Noted{Noted::Severity::kError, "the disk is full"}},
      {at_seconds(3), ClockAdjusted{WallTime{std::chrono::milliseconds{1794801099000}}}},
      {at_seconds(9), RecordingGap{at_seconds(4), at_seconds(9), "no space left"}},
      {at_seconds(10), GpusSampled{{full_gpu(0)}}},
      {at_seconds(10), RunStarted{"r1", "train", {"python", "train.py", "--lr=1e-3", ""}, "/home/ä", 4711, false}},
      {at_seconds(10), OutputWritten{0, 0, "Epoch 1: \r█ 3%\n"}},
      {at_seconds(10), OutputWritten{1, 1ULL << 40U, std::string("\x00\xff\xc3", 3)}},
      {at_seconds(10), RunEnded{137, 9, "killed by SIGKILL"}},
      {at_seconds(10), RunEnded{std::nullopt, std::nullopt, "ended"}},
      {at_seconds(10), LensReported{4712, LensHello{1, 7, 1, "3.11.2", "2.1.0", "12.1", "fork", 0U, 0U, 2U, 8U}}},
      {at_seconds(10),
       LensReported{4712,
                    LensTick{.steps = 7, .learning_rates = {0.1, std::nullopt}, .loaders = {{.id = 1, .wait = 0.5}}}}},
      {at_seconds(10), LensReported{4712, LensBye{}}},
      {at_seconds(10), StreamEnded{"q pressed"}},
      {at_seconds(11), Advised{Advised::Kind::kChanged,
                               "input_cpu_bound",
                               "warning",
                               "The GPU waits",
                               "41 %",
                               {{"workers", "2", "6"}, {"prefetch", "", "4"}},
                               1.5,
                               1.75,
                               0.9}},
      {at_seconds(11),
       Advised{Advised::Kind::kWithdrawn, "healthy", "info", "", "", {}, std::nullopt, std::nullopt, 0}},
      {at_seconds(11), ChangeReported{ChangeReported::Stage::kKept,
                                      {{"batch_size", "8", "48"}},
                                      "batch_size 8 → 48: kept",
                                      0.38,
                                      0.04,
                                      std::nullopt}},
      {at_seconds(11), ChangeReported{ChangeReported::Stage::kWaiting,
                                      {},
                                      "measuring the run as it is",
                                      std::nullopt,
                                      std::nullopt,
                                      std::chrono::seconds{5}}},
      {at_seconds(11),
       ChangeReported{
           ChangeReported::Stage::kOffered, {}, "take it back?", std::nullopt, std::nullopt, std::chrono::seconds{10}}},
      {at_seconds(11), EarlierRuns{{{8, 2U, Precision::kAmpBf16, 120.5, Bytes{3U << 30U}},
                                    {32, std::nullopt, std::nullopt, std::nullopt, std::nullopt}}}},
      {at_seconds(11),
       SettingsRead{{{"batch_size", "32", "train.yaml:data.batch_size"}, {"precision", "amp-fp16", "argv:--amp"}}}},
      {at_seconds(11), CardsKnown{{{0, "A100 80GB", {.gpu_memory = 2e12, .bf16 = 312e12}, {.uuid = "GPU-1", .driver = "580.1", .context = 4e8, .bf16 = 271e12}},
                                   {1, "", {}, {}}},
                                  1.5e12, 0.3, 2.5}},
      {at_seconds(11), QuestionAsked{"Make this change?", {{"batch_size", "8", "48"}}}},
      {at_seconds(11), QuestionAnswered{"yes, at the next launch"}},
      {at_seconds(11), JobJoined{"4711", "slurm", "0", "n2", "abc", "n1:29500", 1U, 3U, 5U, 1U, 24U}},
      {at_seconds(11), JobJoined{"llm", "torchrun", "", "n1", "", "", {}, {}, {}, {}, {}}},
      {at_seconds(11),
       ChangeReported{ChangeReported::Stage::kUndone, {}, "taken back", std::nullopt, std::nullopt, std::nullopt}},
  };
}

}  // namespace gputop::testing
