// One reading of one GPU. Plain values; anything the driver did not report is nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

// Why the clocks are below the requested ones. Bits as numbered by NVML (nvmlClocksThrottleReason…).
enum class ThrottleReason : std::uint64_t {
  kGpuIdle = 0x1,
  kApplicationClocks = 0x2,
  kSoftwarePowerCap = 0x4,
  kHardwareSlowdown = 0x8,
  kSyncBoost = 0x10,
  kSoftwareThermal = 0x20,
  kHardwareThermal = 0x40,
  kHardwarePowerBrake = 0x80,
  kDisplayClocks = 0x100,
};

class ThrottleReasons {
 public:
  constexpr ThrottleReasons() = default;
  constexpr explicit ThrottleReasons(std::uint64_t bits) : bits_(bits) {}
  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }
  [[nodiscard]] constexpr bool has(ThrottleReason reason) const {
    return (bits_ & static_cast<std::uint64_t>(reason)) != 0;
  }
  bool operator==(const ThrottleReasons&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

// Stable names for JSON and recordings ("sw_power_cap"), in bit order; unnamed bits appear as "0x…".
std::vector<std::string> throttle_names(ThrottleReasons reasons);
// For people: "power cap", "thermal", "power brake", … worst first; empty if nothing slows the GPU (idle does not
// count).
std::string throttle_in_words(ThrottleReasons reasons);

enum class GpuState : std::uint8_t { kOk, kNotAnswering, kLost, kFailed };
std::string_view to_string(GpuState state);

enum class GpuProcessType : std::uint8_t { kCompute, kGraphics, kBoth };
std::string_view to_string(GpuProcessType type);  // "C", "G", "C+G"

struct GpuProcess {
  std::int64_t pid = 0;  // from the driver: a host PID, even inside a container
  GpuProcessType type = GpuProcessType::kCompute;
  Reading<Bytes> memory_used;
  Reading<Percent> utilization;  // SM
  Reading<Percent> encoder;
  Reading<Percent> decoder;

  bool operator==(const GpuProcess&) const = default;
};

struct PcieLink {
  Reading<unsigned> generation;
  Reading<unsigned> width;
  Reading<unsigned> max_generation;
  Reading<unsigned> max_width;

  bool operator==(const PcieLink&) const = default;
};

struct NvLinks {
  unsigned active = 0;
  unsigned total = 0;
  Reading<std::uint64_t> errors;  // replay + recovery + CRC, all links

  bool operator==(const NvLinks&) const = default;
};

// How a GPU spent its time since the last reading, from hardware counters (Hopper and newer). "Busy" only means that
// some kernel ran.
struct GpuActivity {
  Reading<Percent> sm;         // share of multiprocessors with work
  Reading<Percent> occupancy;  // warps, as a share of those that would fit
  Reading<Percent> tensor;     // share of the time the tensor cores computed
  Reading<Percent> dram;       // memory bandwidth, as a share of the card's

  bool operator==(const GpuActivity&) const = default;
};

// Share of the time since the last reading in which the clock was held down. The driver counts this continuously;
// throttle bits are only sampled.
struct SlowedTime {
  Reading<Percent> power_cap;
  Reading<Percent> software_thermal;
  Reading<Percent> hardware_thermal;
  Reading<Percent> power_brake;

  bool operator==(const SlowedTime&) const = default;
};

struct MigInstance {
  unsigned index = 0;
  std::string name;
  std::string uuid;
  Reading<unsigned> gpu_instance;
  Reading<unsigned> compute_instance;
  Reading<Bytes> memory_used;
  Reading<Bytes> memory_total;
  Reading<unsigned> multiprocessors;
  GpuActivity activity;

  bool operator==(const MigInstance&) const = default;
};

struct ComputeCapability {
  int major = 0;
  int minor = 0;
  auto operator<=>(const ComputeCapability&) const = default;
};

// The driver's view of the card's condition; rarely changes.
struct GpuHealth {
  Reading<Watts> default_power_limit;
  Reading<Celsius> thermal_margin;  // degrees left until it slows down (drivers since 570)
  Reading<bool> ecc_enabled;
  Reading<bool> ecc_pending;    // the mode after the next reset
  Reading<bool> pages_pending;  // memory pages are waiting to be retired
  Reading<bool> remap_pending;  // memory rows are waiting to be remapped
  Reading<bool> remap_failed;
  Reading<unsigned> recovery_action;  // NVML's number, 0 = none (drivers since 570)
  Reading<unsigned> pcie_replays;     // since the driver was loaded
  Reading<int> compute_mode;          // NVML's number: 0 default, 2 prohibited, 3 exclusive

  bool operator==(const GpuHealth&) const = default;
};

struct GpuReading {
  unsigned index = 0;
  std::string name;
  std::string uuid;
  std::string pci_bus_id;
  GpuState state = GpuState::kOk;
  std::string error;  // shown to the user; empty if there is none

  Reading<Percent> utilization;
  Reading<Percent> memory_utilization;  // share of time the memory was read or written
  Reading<Percent> encoder;
  Reading<Percent> decoder;
  Reading<Bytes> memory_used;
  Reading<Bytes> memory_total;
  Reading<Bytes> memory_reserved;
  Reading<Celsius> temperature;
  Reading<Celsius> slowdown_temperature;
  Reading<Celsius> memory_temperature;
  Reading<Percent> fan;
  Reading<Watts> power;
  Reading<Watts> power_limit;      // currently enforced
  Reading<Watts> max_power_limit;  // the highest the board can be set to
  Reading<Joules> energy;          // since the driver was loaded
  Reading<Megahertz> sm_clock;
  Reading<Megahertz> memory_clock;
  Reading<Megahertz> max_sm_clock;
  Reading<Megahertz> max_memory_clock;
  Reading<BytesPerSecond> pcie_rx;
  Reading<BytesPerSecond> pcie_tx;
  Reading<BytesPerSecond> nvlink_rx;  // all links
  Reading<BytesPerSecond> nvlink_tx;
  PcieLink pcie;
  Reading<unsigned> performance_state;  // 0 = fastest
  Reading<bool> persistence;
  Reading<ThrottleReasons> throttle;
  SlowedTime slowed;
  GpuActivity activity;
  Reading<std::uint64_t> ecc_corrected;
  Reading<std::uint64_t> ecc_uncorrected;
  Reading<ComputeCapability> compute_capability;
  GpuHealth health;
  Reading<NvLinks> nvlink;
  Reading<bool> mig_enabled;
  std::vector<MigInstance> mig;
  Reading<std::vector<GpuProcess>> processes;  // nullopt: the driver did not report them

  bool operator==(const GpuReading&) const = default;
};

}  // namespace gputop
