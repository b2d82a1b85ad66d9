// What a scenario says: see README.md. Plain values; made by parse_scenario, read by the calls.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fake_nvml/value.hpp"

namespace fake_nvml {

inline constexpr double kForever = std::numeric_limits<double>::infinity();

struct Span {
  double from = 0;
  double until = kForever;
  [[nodiscard]] bool holds(double seconds) const { return seconds >= from && seconds < until; }
};

// Named as the fields of gputop's GpuReading are; the unit in the file is the reading's, except PCIe throughput (KB/s).
enum class Metric : std::uint8_t {
  kUtilization,
  kMemoryUtilization,
  kEncoder,
  kDecoder,
  kMemoryTotal,
  kMemoryUsed,
  kMemoryReserved,
  kTemperature,
  kSlowdownTemperature,
  kFan,
  kPower,
  kPowerLimit,
  kMaxPowerLimit,
  kEnergy,
  kSmClock,
  kMemoryClock,
  kMaxSmClock,
  kMaxMemoryClock,
  kPcieRx,
  kPcieTx,
  kPcieGeneration,
  kPcieWidth,
  kMaxPcieGeneration,
  kMaxPcieWidth,
  kPerformanceState,
  kPersistence,
  kThrottle,
  kEccCorrected,
  kEccUncorrected,
  kNvlinks,
  kActiveNvlinks,
  kNvlinkErrors,
  kComputeCapability,
  kMig,
  kDefaultPowerLimit,
  kThermalMargin,
  kEccMode,
  kEccPending,
  kPagesPending,
  kRemapPending,
  kRemapFailed,
  kRecoveryAction,
  kPcieReplays,
  kComputeMode,
  kMemoryTemperature,
  kPcieTxBytes,
  kPcieRxBytes,
  kPowerCapTime,
  kSwThermalTime,
  kHwThermalTime,
  kPowerBrakeTime,
  kNvlinkTxBytes,
  kNvlinkRxBytes,
  kGpmSm,
  kGpmOccupancy,
  kGpmTensor,
  kGpmDram,
  kCount,
};
std::optional<Metric> metric_named(const std::string& name);

struct ProcessSpec {
  unsigned pid = 0;
  bool compute = true;
  bool graphics = false;
  bool mps = false;
  std::optional<std::uint64_t> memory;  // nullopt: the driver says "not available"
  std::optional<unsigned> sm;           // nullopt: never in the utilisation samples
  unsigned encoder = 0;
  unsigned decoder = 0;
  unsigned gpu_instance = 0xFFFFFFFFU;
  unsigned compute_instance = 0xFFFFFFFFU;
  Span span;
};

struct InstanceSpec {
  unsigned index = 0;
  std::string name = "MIG instance";
  std::string uuid;
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
  std::optional<std::uint64_t> memory_total;
  std::uint64_t memory_used = 0;
};

struct EventSpec {
  double at = 0;
  unsigned long long type = 0;
  unsigned long long data = 0;
  bool delivered = false;
};

struct GpuSpec {
  std::string name;
  std::string uuid;
  std::string bus_id;
  std::array<std::optional<Value>, static_cast<std::size_t>(Metric::kCount)> metrics;
  std::vector<ProcessSpec> processes;
  std::vector<InstanceSpec> instances;
  std::vector<EventSpec> events;
  std::vector<Span> lost;
};

// Something that befalls a call.
struct Rule {
  enum class Kind : std::uint8_t { kSleep, kBurn, kHang, kError, kDie };
  Kind kind = Kind::kSleep;
  std::string pattern;     // of the call's name, with *
  std::vector<bool> gpus;  // empty: all, and calls that are of no GPU
  Span span;
  double seconds = 0;  // to sleep or burn
  int code = 0;
  std::string how;  // to die: see README.md
};

struct Scenario {
  std::string driver_version = "550.54.14";
  std::vector<GpuSpec> gpus;
  std::vector<Rule> rules;
  std::vector<std::string> without;
  bool large_process_info = false;
  bool mig_lists_refused = false;
};

// What FAKE_NVML_SCENARIO unset means.
extern const char* const kDefaultScenario;

// Throws std::string: "LINE: what is wrong".
Scenario parse_scenario(const std::string& text);

}  // namespace fake_nvml
