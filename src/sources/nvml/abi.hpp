// Our own declaration of NVML's binary interface: only what we call. Sizes and offsets are those of x86-64;
// nvml_abi_test.cpp checks them, and compares them with the real nvml.h if it is available.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gputop::nvml {

enum class Code : int {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kInsufficientSize = 7,
  kInsufficientPower = 8,
  kDriverNotLoaded = 9,
  kTimeout = 10,
  kIrqIssue = 11,
  kLibraryNotFound = 12,
  kFunctionNotFound = 13,
  kCorruptedInforom = 14,
  kGpuIsLost = 15,
  kResetRequired = 16,
  kOperatingSystem = 17,
  kVersionMismatch = 18,
  kInUse = 19,
  kMemory = 20,
  kNoData = 21,
  kInsufficientResources = 23,
  kArgumentVersionMismatch = 25,
  kDeprecated = 26,
  kNotReady = 27,
  kGpuNotFound = 28,
  kInvalidState = 29,
  kUnknown = 999,
};

using Device = struct OpaqueDevice*;
using EventSet = struct OpaqueEventSet*;

struct Utilization {
  unsigned gpu;
  unsigned memory;
};

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;  // includes memory reserved by the driver
};

// A versioned structure must state its own size and version, or the driver rejects it.
template <class T>
constexpr unsigned version_of(unsigned version) {
  return static_cast<unsigned>(sizeof(T)) | version << 24U;
}

struct MemoryV2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};

struct TemperatureV1 {
  unsigned version;
  unsigned sensor;
  int temperature;
};

struct MarginTemperatureV1 {
  unsigned version;
  int margin;
};

struct PciInfo {
  char bus_id_legacy[16];  // the only field that the first two versions of the call fill in
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned device_id;
  unsigned subsystem_id;
  char bus_id[32];
};

struct ProcessInfoV1 {
  unsigned pid;
  unsigned long long used_memory;
};

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

// What drivers 535.43 … 535.86 write through a symbol that takes a ProcessInfo in all other versions.
struct ProcessInfo535 {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
  unsigned long long protected_memory;
};

inline constexpr unsigned long long kMemoryNotAvailable = ~0ULL;
inline constexpr unsigned kNoInstance = 0xFFFFFFFFU;

struct ProcessUtilizationSample {
  unsigned pid;
  unsigned long long time_us;
  unsigned sm;
  unsigned memory;
  unsigned encoder;
  unsigned decoder;
};

union Value {
  double as_double;
  unsigned as_unsigned;
  unsigned long long as_unsigned_long_long;
  long long as_long_long;
};

enum class ValueType : int { kDouble = 0, kUnsigned = 1, kUnsignedLong = 2, kUnsignedLongLong = 3, kLongLong = 4 };

struct FieldValue {
  unsigned field;
  unsigned scope;
  long long time_us;
  long long latency_us;
  ValueType type;
  Code code;
  Value value;
};

struct GpmSampleStorage;  // opaque, owned by the driver
using GpmSample = GpmSampleStorage*;

struct GpmSupport {
  unsigned version;
  unsigned supported;
};

struct GpmMetric {
  unsigned id;
  Code code;
  double value;
  const char* short_name;
  const char* long_name;
  const char* unit;
};

// The header's array grew with every generation of drivers: 98 entries (550), 210 (575), 333 (595), 477 (615).
inline constexpr std::size_t kMostGpmMetrics = 1024;
struct GpmMetricsGet {
  unsigned version;
  unsigned count;
  GpmSample sample1;
  GpmSample sample2;
  GpmMetric metrics[kMostGpmMetrics];
};

struct EventData {
  Device device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct DeviceAttributes {
  unsigned multiprocessors;
  unsigned copy_engines;
  unsigned decoders;
  unsigned encoders;
  unsigned jpegs;
  unsigned ofas;
  unsigned gpu_slices;
  unsigned compute_slices;
  unsigned long long memory_mib;
};

// Constants that are enumerations in nvml.h; all are passed as int.
inline constexpr int kClockGraphics = 0;
inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
inline constexpr int kTemperatureGpu = 0;
inline constexpr int kThresholdSlowdown = 1;
inline constexpr int kPcieTransmit = 0;
inline constexpr int kPcieReceive = 1;
inline constexpr int kEccCorrected = 0;
inline constexpr int kEccUncorrected = 1;
inline constexpr int kEccVolatile = 0;
inline constexpr int kPstateUnknown = 32;
inline constexpr unsigned long long kEventDoubleBitEcc = 0x2;
inline constexpr unsigned long long kEventXid = 0x8;
inline constexpr unsigned kMostNvLinks = 18;
inline constexpr unsigned kFieldNvLinkCrcFlitErrors = 38;
inline constexpr unsigned kFieldNvLinkCrcDataErrors = 45;
inline constexpr unsigned kFieldNvLinkReplayErrors = 52;
inline constexpr unsigned kFieldNvLinkRecoveryErrors = 59;
inline constexpr unsigned kFieldNvLinkCount = 91;
inline constexpr unsigned kFieldPowerCapTime = 74;
inline constexpr unsigned kFieldMemoryTemperature = 82;
inline constexpr unsigned kFieldNvLinkTransmitData = 138;
inline constexpr unsigned kFieldNvLinkReceiveData = 139;
inline constexpr unsigned kFieldPcieTransmitBytes = 197;
inline constexpr unsigned kFieldPcieReceiveBytes = 198;
inline constexpr unsigned kFieldRecoveryAction = 230;
inline constexpr unsigned kFieldSoftwareThermalTime = 269;
inline constexpr unsigned kFieldHardwareThermalTime = 270;
inline constexpr unsigned kFieldPowerBrakeTime = 271;
inline constexpr unsigned kAllLinks = 0xFFFFFFFFU;  // a field's scope
inline constexpr unsigned kGpmSupportVersion = 1;
inline constexpr unsigned kGpmMetricsGetVersion = 1;
inline constexpr unsigned kGpmSmUtil = 2;
inline constexpr unsigned kGpmSmOccupancy = 3;
inline constexpr unsigned kGpmAnyTensor = 5;
inline constexpr unsigned kGpmDramBandwidth = 10;
inline constexpr std::size_t kNameLength = 96;
inline constexpr std::size_t kUuidLength = 96;
inline constexpr std::size_t kVersionLength = 80;

}  // namespace gputop::nvml
