// Readings of one GPU.
#include <algorithm>
#include <cmath>

#include "fake_nvml/fake.hpp"

namespace fake_nvml {
namespace {

template <class Raw>
Code read(Call call, Device device, Metric which, Raw* out, double factor = 1) {
  return on_device(call, device, [&](const GpuSpec& gpu, FakeHandle& handle, double seconds) {
    return put(gpu, handle, which, seconds, out, factor);
  });
}

std::uint64_t bytes_of(const GpuSpec& gpu, Metric which, double seconds) {
  const auto& value = metric(gpu, which);
  return value ? static_cast<std::uint64_t>(value->at(seconds)) : 0;
}

struct MemoryNow {
  std::uint64_t total, used, reserved;
};

Code memory_now(const GpuSpec& gpu, const FakeHandle& handle, double seconds, MemoryNow& now) {
  if (handle.instance >= 0) {
    const auto& instance = gpu.instances[static_cast<std::size_t>(handle.instance)];
    if (!instance.memory_total) return Code::kNotSupported;
    now = {*instance.memory_total, instance.memory_used, 0};
    return Code::kSuccess;
  }
  if (!metric(gpu, Metric::kMemoryTotal)) return Code::kNotSupported;
  now = {bytes_of(gpu, Metric::kMemoryTotal, seconds), bytes_of(gpu, Metric::kMemoryUsed, seconds),
         bytes_of(gpu, Metric::kMemoryReserved, seconds)};
  return Code::kSuccess;
}

std::uint64_t free_of(const MemoryNow& now) {
  const auto taken = now.used + now.reserved;
  return now.total > taken ? now.total - taken : 0;
}

Code codec(Call call, Device device, Metric which, unsigned* percent, unsigned* period_us) {
  const Code code = read(call, device, which, percent);
  if (code == Code::kSuccess && period_us != nullptr) *period_us = 167000;
  return code;
}

Code clock(Call call, Device device, int type, unsigned* out, Metric sm, Metric memory) {
  if (type == kClockMemory) return read(call, device, memory, out);
  if (type == kClockSm || type == kClockGraphics) return read(call, device, sm, out);
  return on_device(call, device, [](const GpuSpec&, FakeHandle&, double) { return Code::kNotSupported; });
}

}  // namespace

FAKE_NVML_EXPORT Code nvmlDeviceGetUtilizationRates(Device device, Utilization* out) {
  return on_device(Call::nvmlDeviceGetUtilizationRates, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    if (out == nullptr) return Code::kInvalidArgument;
    unsigned busy = 0;
    const Code code = put(gpu, handle, Metric::kUtilization, t, &busy);
    if (code != Code::kSuccess) return code;
    out->gpu = busy;
    if (put(gpu, handle, Metric::kMemoryUtilization, t, &out->memory) != Code::kSuccess) out->memory = 0;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* out) {
  return on_device(Call::nvmlDeviceGetMemoryInfo_v2, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    if (out == nullptr) return Code::kInvalidArgument;
    if (out->version != version_of<MemoryV2>(2)) return Code::kArgumentVersionMismatch;
    MemoryNow now{};
    const Code code = memory_now(gpu, handle, t, now);
    if (code == Code::kSuccess) *out = {out->version, now.total, now.reserved, free_of(now), now.used};
    return code;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMemoryInfo(Device device, Memory* out) {
  return on_device(Call::nvmlDeviceGetMemoryInfo, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    if (out == nullptr) return Code::kInvalidArgument;
    MemoryNow now{};
    const Code code = memory_now(gpu, handle, t, now);
    if (code == Code::kSuccess) *out = {now.total, free_of(now), now.used + now.reserved};
    return code;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetClockInfo(Device device, int type, unsigned* out) {
  return clock(Call::nvmlDeviceGetClockInfo, device, type, out, Metric::kSmClock, Metric::kMemoryClock);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMaxClockInfo(Device device, int type, unsigned* out) {
  return clock(Call::nvmlDeviceGetMaxClockInfo, device, type, out, Metric::kMaxSmClock, Metric::kMaxMemoryClock);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetTemperature(Device device, int /*sensor*/, unsigned* out) {
  return read(Call::nvmlDeviceGetTemperature, device, Metric::kTemperature, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetTemperatureV(Device device, TemperatureV1* out) {
  if (out == nullptr || out->version != version_of<TemperatureV1>(1)) return Code::kArgumentVersionMismatch;
  return read(Call::nvmlDeviceGetTemperatureV, device, Metric::kTemperature, &out->temperature);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetTemperatureThreshold(Device device, int which, unsigned* out) {
  return on_device(Call::nvmlDeviceGetTemperatureThreshold, device,
                   [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
                     if (which != kThresholdSlowdown) return Code::kNotSupported;
                     return put(gpu, handle, Metric::kSlowdownTemperature, t, out);
                   });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPowerUsage(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetPowerUsage, device, Metric::kPower, out, 1000);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetEnforcedPowerLimit, device, Metric::kPowerLimit, out, 1000);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPowerManagementLimit(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetPowerManagementLimit, device, Metric::kPowerLimit, out, 1000);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPowerManagementLimitConstraints(Device device, unsigned* least, unsigned* most) {
  const Code code =
      read(Call::nvmlDeviceGetPowerManagementLimitConstraints, device, Metric::kMaxPowerLimit, most, 1000);
  if (code == Code::kSuccess && least != nullptr) *least = *most / 4;
  return code;
}
FAKE_NVML_EXPORT Code nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* out) {
  return read(Call::nvmlDeviceGetTotalEnergyConsumption, device, Metric::kEnergy, out, 1000);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCurrentClocksEventReasons(Device device, unsigned long long* out) {
  return read(Call::nvmlDeviceGetCurrentClocksEventReasons, device, Metric::kThrottle, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* out) {
  return read(Call::nvmlDeviceGetCurrentClocksThrottleReasons, device, Metric::kThrottle, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPerformanceState(Device device, int* out) {
  return read(Call::nvmlDeviceGetPerformanceState, device, Metric::kPerformanceState, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPowerState(Device device, int* out) {
  return read(Call::nvmlDeviceGetPowerState, device, Metric::kPerformanceState, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetEncoderUtilization(Device device, unsigned* percent, unsigned* period_us) {
  return codec(Call::nvmlDeviceGetEncoderUtilization, device, Metric::kEncoder, percent, period_us);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetDecoderUtilization(Device device, unsigned* percent, unsigned* period_us) {
  return codec(Call::nvmlDeviceGetDecoderUtilization, device, Metric::kDecoder, percent, period_us);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetFanSpeed(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetFanSpeed, device, Metric::kFan, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetFanSpeed_v2(Device device, unsigned /*fan*/, unsigned* out) {
  return read(Call::nvmlDeviceGetFanSpeed_v2, device, Metric::kFan, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPersistenceMode(Device device, int* out) {
  return read(Call::nvmlDeviceGetPersistenceMode, device, Metric::kPersistence, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetPowerManagementDefaultLimit, device, Metric::kDefaultPowerLimit, out, 1000);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMarginTemperature(Device device, MarginTemperatureV1* out) {
  if (out == nullptr || out->version != version_of<MarginTemperatureV1>(1)) return Code::kArgumentVersionMismatch;
  return read(Call::nvmlDeviceGetMarginTemperature, device, Metric::kThermalMargin, &out->margin);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetEccMode(Device device, int* now, int* later) {
  const Code code = read(Call::nvmlDeviceGetEccMode, device, Metric::kEccMode, now);
  if (code != Code::kSuccess) return code;
  *later = *now;
  return on_device(Call::nvmlDeviceGetEccMode, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    static_cast<void>(put(gpu, handle, Metric::kEccPending, t, later));
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetRetiredPagesPendingStatus(Device device, int* out) {
  return read(Call::nvmlDeviceGetRetiredPagesPendingStatus, device, Metric::kPagesPending, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetRemappedRows(Device device,
                                                unsigned* corrected,
                                                unsigned* uncorrected,
                                                unsigned* pending,
                                                unsigned* failed) {
  return on_device(Call::nvmlDeviceGetRemappedRows, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    *corrected = *uncorrected = *failed = 0;
    const Code code = put(gpu, handle, Metric::kRemapPending, t, pending);
    if (code == Code::kSuccess) static_cast<void>(put(gpu, handle, Metric::kRemapFailed, t, failed));
    return code;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPcieReplayCounter(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetPcieReplayCounter, device, Metric::kPcieReplays, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetComputeMode(Device device, int* out) {
  return read(Call::nvmlDeviceGetComputeMode, device, Metric::kComputeMode, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetTotalEccErrors(Device device, int type, int /*counter*/, unsigned long long* out) {
  return read(Call::nvmlDeviceGetTotalEccErrors, device,
              type == kEccCorrected ? Metric::kEccCorrected : Metric::kEccUncorrected, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetPcieThroughput(Device device, int direction, unsigned* out) {
  return read(Call::nvmlDeviceGetPcieThroughput, device, direction == kPcieReceive ? Metric::kPcieRx : Metric::kPcieTx,
              out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCurrPcieLinkGeneration(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetCurrPcieLinkGeneration, device, Metric::kPcieGeneration, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCurrPcieLinkWidth(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetCurrPcieLinkWidth, device, Metric::kPcieWidth, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMaxPcieLinkGeneration(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetMaxPcieLinkGeneration, device, Metric::kMaxPcieGeneration, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetMaxPcieLinkWidth(Device device, unsigned* out) {
  return read(Call::nvmlDeviceGetMaxPcieLinkWidth, device, Metric::kMaxPcieWidth, out);
}
FAKE_NVML_EXPORT Code nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  int tenths = 0;  // 8.6 is given as one number
  const Code code = read(Call::nvmlDeviceGetCudaComputeCapability, device, Metric::kComputeCapability, &tenths, 10);
  if (code != Code::kSuccess) return code;
  *major = tenths / 10;
  *minor = tenths % 10;
  return Code::kSuccess;
}

FAKE_NVML_EXPORT Code nvmlDeviceGetNvLinkState(Device device, unsigned link, int* active) {
  return on_device(Call::nvmlDeviceGetNvLinkState, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    unsigned links = 0;
    const Code code = put(gpu, handle, Metric::kNvlinks, t, &links);
    if (code != Code::kSuccess) return code;
    if (link >= links) return Code::kInvalidArgument;
    unsigned up = links;
    static_cast<void>(put(gpu, handle, Metric::kActiveNvlinks, t, &up));
    *active = link < up ? 1 : 0;
    return Code::kSuccess;
  });
}
FAKE_NVML_EXPORT Code nvmlDeviceGetNvLinkErrorCounter(Device device,
                                                      unsigned link,
                                                      int counter,
                                                      unsigned long long* out) {
  const Code code = read(Call::nvmlDeviceGetNvLinkErrorCounter, device, Metric::kNvlinkErrors, out);
  if (code == Code::kSuccess && (link != 0 || counter != 0)) *out = 0;  // all errors are the first link's replays
  return code;
}
FAKE_NVML_EXPORT Code nvmlDeviceGetFieldValues(Device device, int count, FieldValue* values) {
  return on_device(Call::nvmlDeviceGetFieldValues, device, [&](const GpuSpec& gpu, FakeHandle& handle, double t) {
    for (int i = 0; i < count; ++i) {
      auto& field = values[i];
      unsigned long long number = 0;
      field.type = ValueType::kUnsignedLongLong;
      field.time_us = static_cast<long long>((t + 1) * 1e6);
      switch (field.field) {
        case kFieldNvLinkReplayErrors: field.code = put(gpu, handle, Metric::kNvlinkErrors, t, &number); break;
        case kFieldPcieTransmitBytes: field.code = put(gpu, handle, Metric::kPcieTxBytes, t, &number); break;
        case kFieldPcieReceiveBytes: field.code = put(gpu, handle, Metric::kPcieRxBytes, t, &number); break;
        case kFieldPowerCapTime: field.code = put(gpu, handle, Metric::kPowerCapTime, t, &number, 1e9); break;
        case kFieldSoftwareThermalTime: field.code = put(gpu, handle, Metric::kSwThermalTime, t, &number, 1e9); break;
        case kFieldHardwareThermalTime: field.code = put(gpu, handle, Metric::kHwThermalTime, t, &number, 1e9); break;
        case kFieldPowerBrakeTime: field.code = put(gpu, handle, Metric::kPowerBrakeTime, t, &number, 1e9); break;
        case kFieldNvLinkTransmitData:
        case kFieldNvLinkReceiveData:
          field.code = field.scope != kAllLinks ? Code::kInvalidArgument
                                                : put(gpu, handle,
                                                      field.field == kFieldNvLinkTransmitData ? Metric::kNvlinkTxBytes
                                                                                              : Metric::kNvlinkRxBytes,
                                                      t, &number, 1.0 / 1024);
          break;
        case kFieldMemoryTemperature:
          field.type = ValueType::kUnsigned;
          field.code = put(gpu, handle, Metric::kMemoryTemperature, t, &number);
          break;
        case kFieldRecoveryAction: field.code = put(gpu, handle, Metric::kRecoveryAction, t, &number); break;
        case kFieldNvLinkCount: field.code = put(gpu, handle, Metric::kNvlinks, t, &number); break;
        case kFieldNvLinkCrcFlitErrors:
        case kFieldNvLinkCrcDataErrors:
        case kFieldNvLinkRecoveryErrors:
          field.code = metric(gpu, Metric::kNvlinkErrors) ? Code::kSuccess : Code::kNotSupported;
          break;
        default: field.code = Code::kNotSupported;
      }
      field.value.as_unsigned_long_long = number;
    }
    return Code::kSuccess;
  });
}

}  // namespace fake_nvml
