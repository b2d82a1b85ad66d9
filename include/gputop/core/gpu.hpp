// What one reading of one GPU holds. Plain values; anything the driver did not say is nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

// Why the clocks are below what was asked for. Bits as NVML numbers them (nvmlClocksThrottleReason…).
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

// Stable names for JSON and recordings ("sw_power_cap"), in bit order; bits without a name come as "0x…".
std::vector<std::string> throttle_names(ThrottleReasons reasons);
// For people: "power cap", "thermal", "power brake", … worst first; empty when nothing slows the GPU (idle is not a
// slow-down).
std::string throttle_in_words(ThrottleReasons reasons);

enum class GpuState : std::uint8_t { kOk, kNotAnswering, kLost, kFailed };
std::string_view to_string(GpuState state);

enum class GpuProcessType : std::uint8_t { kCompute, kGraphics, kBoth };
std::string_view to_string(GpuProcessType type);  // "C", "G", "C+G"

struct GpuProcess {
  std::int64_t pid = 0;  // as the driver sees it: a host PID, also inside a container
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

// How the time of a GPU was spent since the last reading, by counters in the chip (Hopper and newer). "Busy" only says
// that some kernel ran.
struct GpuActivity {
  Reading<Percent> sm;         // multiprocessors that had work
  Reading<Percent> occupancy;  // warps, of those that would fit
  Reading<Percent> tensor;     // time in which tensor cores computed
  Reading<Percent> dram;       // memory bandwidth, of what the card has

  bool operator==(const GpuActivity&) const = default;
};

// Share of the time since the last reading in which the clock was held down. The driver counts it; throttle bits are
// only looked at now and then.
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

// What the driver knows about the card's condition; changes seldom.
struct GpuHealth {
  Reading<Watts> default_power_limit;
  Reading<Celsius> thermal_margin;  // degrees left until it slows down (drivers since 570)
  Reading<bool> ecc_enabled;
  Reading<bool> ecc_pending;    // what it will be after the next reset
  Reading<bool> pages_pending;  // memory pages wait to be retired
  Reading<bool> remap_pending;  // memory rows wait to be remapped
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
  std::string error;  // for people; empty = all well

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
  Reading<Watts> power_limit;      // in force
  Reading<Watts> max_power_limit;  // the most the board can be set to
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
  Reading<std::vector<GpuProcess>> processes;  // nullopt: the driver would not say

  bool operator==(const GpuReading&) const = default;
};

}  // namespace gputop
