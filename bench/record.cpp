// What recordings cost: bytes, time to write, time to read; against the limits of the product. Exits 1 if one is
// missed.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "gputop/store/recording_reader.hpp"
#include "store/recording_encoder.hpp"

namespace {

using namespace gputop;
using Clock = std::chrono::steady_clock;

constexpr int kHour = 3600;
constexpr int kHoursOfTenDays = 240;
constexpr double kMostMegabytes = 150;
constexpr double kMostOpenSeconds = 0.1;
constexpr double kMostTenDaySeconds = 5;
constexpr double kMostResidentMegabytes = 200;

// A busy machine: 8 GPUs, 64 cores, 16 processes, nearly everything different every second. Deterministic.
class Machine {
 public:
  Machine() : gpus_(8), processes_(16) {
    for (unsigned i = 0; i < gpus_.size(); ++i) set_up(gpus_[i], i);
    for (unsigned i = 0; i < processes_.size(); ++i) set_up(processes_[i], i);
    host_.hostname = "node-17";
    host_.cpu_count = 64;
    host_.usable_cpus = 64;
    host_.cores.resize(64);
    host_.memory_total = Bytes{512ULL << 30U};
    host_.memory_used = Bytes{200ULL << 30U};
    host_.load1 = host_.load5 = host_.load15 = 24;
    host_.disks = {{"nvme0n1", {}, {}, {}}, {"nvme1n1", {}, {}, {}}};
    host_.networks = {{"eth0", {}, {}}, {"ib0", {}, {}}};
  }

  void advance(int second) {
    for (auto& gpu : gpus_) advance(gpu, second);
    advance_host(second);
    for (std::size_t i = 0; i < processes_.size(); ++i) advance(processes_[i], i < 8 ? 100 : 70, i >= 8);
  }
  [[nodiscard]] GpusSampled gpus() const { return {gpus_}; }
  [[nodiscard]] HostSampled host() const { return {host_}; }
  [[nodiscard]] ProcessesSampled processes() const { return {processes_}; }

 private:
  double normal(double mean, double deviation) { return std::normal_distribution<>{mean, deviation}(random_); }
  double positive(double mean, double deviation) { return std::max(0.0, normal(mean, deviation)); }
  Percent share(double mean, double deviation) { return Percent{std::clamp(normal(mean, deviation), 0.0, 100.0)}; }
  BytesPerSecond rate(double log_mean, double log_deviation) {
    return BytesPerSecond{std::exp(normal(log_mean, log_deviation))};
  }
  bool chance(double probability) { return std::bernoulli_distribution{probability}(random_); }

  static void set_up(GpuReading& gpu, unsigned i) {
    gpu.index = i;
    gpu.name = "NVIDIA H100 80GB HBM3";
    gpu.uuid = "GPU-6f1a2b3c-4d5e-6f70-8192-a3b4c5d6e7f" + std::to_string(i);
    gpu.pci_bus_id = "00000000:" + std::to_string(10 + i) + ":00.0";
    gpu.memory_total = Bytes{80ULL << 30U};
    gpu.memory_used = Bytes{70ULL << 30U};
    gpu.temperature = Celsius{65};
    gpu.slowdown_temperature = Celsius{87};
    gpu.power_limit = gpu.max_power_limit = Watts{700};
    gpu.energy = Joules{1e6};
    gpu.memory_clock = gpu.max_memory_clock = Megahertz{2619};
    gpu.max_sm_clock = Megahertz{1980};
    gpu.pcie = {5, 16, 5, 16};
    gpu.performance_state = 0;
    gpu.persistence = true;
    gpu.ecc_corrected = gpu.ecc_uncorrected = 0;
    gpu.compute_capability = ComputeCapability{9, 0};
    gpu.nvlink = NvLinks{18, 18, 0};
    gpu.encoder = gpu.decoder = Percent{0};
    gpu.processes = {GpuProcess{4000 + i, GpuProcessType::kCompute, Bytes{69ULL << 30U}, Percent{0}, {}, {}}};
  }

  void set_up(ProcessReading& process, unsigned i) {
    process.pid = 4000 + i;
    process.parent = i < 8 ? 3999 : 4000 + i - 8;
    process.root = 3999;
    process.started = WallTime{std::chrono::milliseconds{1794801068000 + i}};
    process.uid = 1000;
    process.user = "ada";
    process.command = "python -u train.py --config configs/large.yaml --rank " + std::to_string(i % 8);
    process.threads = 40;
    process.cpu_time = Duration{};
    process.resident = Bytes{8ULL << 30U};
    process.read = process.write = BytesPerSecond{0};
  }

  void advance(GpuReading& gpu, int second) {
    gpu.utilization = chance(0.02) ? share(30, 20) : share(94, 4);
    gpu.memory_utilization = share(60, 6);
    gpu.power = Watts{positive(5.5 * gpu.utilization->value() + 60, 12)};
    gpu.sm_clock = Megahertz{1410 + 15 * std::clamp(std::round(normal(32, 2)), 0.0, 38.0)};
    const double heat = temperature_[gpu.index] += normal(0, 0.3) + (66 - temperature_[gpu.index]) * 0.02;
    gpu.temperature = Celsius{std::round(heat)};
    if (chance(0.05)) gpu.memory_used = Bytes{(70ULL << 30U) + (std::uint64_t{random_() % 512} << 21U)};
    gpu.energy = *gpu.energy + Joules{gpu.power->value()};
    gpu.throttle = ThrottleReasons{chance(0.2) ? 4U : 0U};
    if (second % 2 == 0) {
      gpu.pcie_rx = rate(21.4, 0.5);
      gpu.pcie_tx = rate(20.5, 0.5);
    }
    gpu.processes->front().utilization = Percent{std::max(0.0, gpu.utilization->value() - positive(2, 1))};
  }

  void advance_host(int second) {
    host_.cpu = share(40, 3);
    host_.io_wait = Percent{positive(1, 0.4)};
    for (auto& core : host_.cores) core = share(40, 15);
    if (second % 5 == 0) {
      *host_.load1 += normal(0, 0.3);
      *host_.load5 += normal(0, 0.05);
      *host_.load15 += normal(0, 0.02);
    }
    if (second % 2 == 0) {
      host_.cpu_pressure = {Percent{positive(2, 0.5)}, Percent{0}};
      host_.memory_pressure = {Percent{0}, Percent{0}};
      host_.io_pressure = {Percent{positive(1, 0.5)}, Percent{positive(0.5, 0.3)}};
    }
    host_.memory_used = Bytes{host_.memory_used->value() + (random_() % 200 << 20U) - (100U << 20U)};
    for (auto& disk : host_.disks) disk = {disk.name, rate(17, 1), rate(14, 1), share(20, 5)};
    for (auto& network : host_.networks) network = {network.name, rate(16, 1), rate(15, 1)};
  }

  void advance(ProcessReading& process, double load, bool reads) {
    process.cpu = Percent{positive(load, 4)};
    *process.cpu_time += from_seconds(process.cpu->value() / 100);
    if (chance(0.3)) process.resident = Bytes{(8ULL << 30U) + (std::uint64_t{random_() % 4096} << 12U)};
    if (reads) process.read = rate(15, 1);
    process.involuntary_switches = positive(30, 8);
    process.state = chance(0.25) ? 'S' : 'R';
  }

  std::mt19937_64 random_{7};
  std::vector<GpuReading> gpus_;
  std::vector<ProcessReading> processes_;
  HostReading host_;
  std::array<double, 8> temperature_{66, 66, 66, 66, 66, 66, 66, 66};
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_resident_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Written {
  std::string bytes;
  std::uint64_t events = 0;
  double seconds = 0;
};

// Flushed every 2 s of the recording's own time, as the writer does.
Written write_hour() {
  auto encoder = store::RecordingEncoder::create();
  if (!encoder) std::exit(2);
  Machine machine;
  std::mt19937_64 jitter{3};
  Written result;
  (*encoder)->append({at_seconds(0), StreamStarted{WallTime{std::chrono::milliseconds{1794801068000}}, GPUTOP_VERSION,
                                                   "node-17", std::chrono::seconds{1}}});
  (*encoder)->append({at_seconds(0), SourceStatus{"nvml", SourceStatus::State::kOk, "", "550.54.15", false}});
  for (int second = 0; second < kHour; ++second) {
    machine.advance(second);
    const Instant at = Instant{std::chrono::milliseconds{second * 1000 + static_cast<int>(jitter() % 3)}};
    const Event events[] = {{at, machine.gpus()}, {at, machine.host()}, {at, machine.processes()}};
    const auto start = Clock::now();
    for (const auto& event : events) (*encoder)->append(event);
    if (second % 2 == 1) (*encoder)->flush();
    result.seconds += seconds_since(start);
    result.events += std::size(events);
  }
  (*encoder)->append({at_seconds(kHour), StreamEnded{"end of the bench"}});
  (*encoder)->finish();
  result.bytes = std::move((*encoder)->bytes());
  return result;
}

struct Read {
  std::uint64_t events = 0;
  double seconds = 0;
  double processor = 0;
};

Read read_all(const std::string& path) {
  Read result;
  const auto start = Clock::now();
  const double processor = processor_seconds();
  auto reader = RecordingReader::open(path);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().message.c_str());
    std::exit(2);
  }
  while (reader->next() != nullptr) ++result.events;
  result.seconds = seconds_since(start);
  result.processor = processor_seconds() - processor;
  for (const auto& problem : reader->problems()) std::fprintf(stderr, "%s\n", problem.c_str());
  return result;
}

bool check(const char* what, double value, double limit, const char* unit) {
  const bool kept = value <= limit;
  std::printf("  %-46s %9.3f %-3s limit %6.1f  %s\n", what, value, unit, limit, kept ? "ok" : "MISSED");
  return kept;
}

void write_file(const std::string& path, const std::string& bytes, int times) {
  std::ofstream file{path, std::ios::binary};
  for (int i = 0; i < times; ++i) file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

// bench_record --write FILE: that hour, for other benches.
int main(int argc, char** argv) {
  if (argc == 3 && std::string{argv[1]} == "--write") {
    write_file(argv[2], write_hour().bytes, 1);
    return 0;
  }
  const auto folder = std::filesystem::temp_directory_path() / ("gputop-bench-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "bench.gputop";

  std::printf("8 GPUs, 64 cores, 16 processes at 1 Hz, nearly everything changing every second\n");
  const Written written = write_hour();
  const auto bytes = static_cast<double>(written.bytes.size());
  std::printf("  written: %.0f bytes an hour (%.1f a second), %.0f events/s, %.2f ms of CPU per second recorded\n",
              bytes, bytes / kHour, static_cast<double>(written.events) / written.seconds,
              written.seconds / kHour * 1000);

  write_file(path, written.bytes, 1);
  Read hour = read_all(path);
  for (int i = 0; i < 4; ++i) {
    if (const Read again = read_all(path); again.seconds < hour.seconds) hour = again;
  }
  std::printf("  read: %.0f events/s, %.1f MB/s of file\n", static_cast<double>(hour.events) / hour.seconds,
              bytes / 1e6 / hour.seconds);

  write_file(path, written.bytes, kHoursOfTenDays);
  const Read days = read_all(path);
  std::filesystem::remove_all(folder);
  std::printf("  ten days (that hour %d times): %llu events read in %.2f s (%.2f s of CPU)\n", kHoursOfTenDays,
              static_cast<unsigned long long>(days.events), days.seconds, days.processor);

  bool kept = check("ten days on disk", bytes * kHoursOfTenDays / 1e6, kMostMegabytes, "MB");
  kept = check("opening one hour, all events decoded", hour.seconds, kMostOpenSeconds, "s") && kept;
  // The limits of a whole report: of them, reading is only a part.
  check("reading ten days, CPU", days.processor, kMostTenDaySeconds, "s");
  check("memory while writing and reading", peak_resident_megabytes(), kMostResidentMegabytes, "MB");
  return kept ? 0 : 1;
}
