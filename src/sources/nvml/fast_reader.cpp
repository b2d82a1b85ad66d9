#include "sources/nvml/fast_reader.hpp"

#include "sources/nvml/read.hpp"

namespace gputop::nvml {
namespace {

Reading<Percent> read_codec(Calls& calls, const Function<Device, unsigned*, unsigned*>& function) {
  unsigned percent = 0;
  unsigned period_us = 0;
  if (calls(function, &percent, &period_us) != Code::kSuccess) return std::nullopt;
  return Percent{static_cast<double>(percent)};
}

}  // namespace

FastPart FastReader::read(const Api& api, Calls& calls) {
  FastPart part;
  Utilization utilization{};
  if (calls(api.nvmlDeviceGetUtilizationRates, &utilization) == Code::kSuccess) {
    part.utilization = Percent{static_cast<double>(utilization.gpu)};
    part.memory_utilization = Percent{static_cast<double>(utilization.memory)};
  }
  read_memory(api, calls, part);

  unsigned mhz = 0;
  if (newer_or_older(
          calls, sm_clock_refused_, [&] { return calls(api.nvmlDeviceGetClockInfo, kClockSm, &mhz); },
          [&] { return calls(api.nvmlDeviceGetClockInfo, kClockGraphics, &mhz); }) == Code::kSuccess) {
    part.sm_clock = Megahertz{static_cast<double>(mhz)};
  }
  part.memory_clock = read_number<Megahertz>(calls, 1, api.nvmlDeviceGetClockInfo, kClockMemory);

  // The older call, which every driver has; new drivers deprecate it.
  unsigned celsius = 0;
  TemperatureV1 temperature{version_of<TemperatureV1>(1), kTemperatureGpu, 0};
  bool plain = false;
  if (newer_or_older(
          calls, temperature_refused_,
          [&] {
            const Code code = calls(api.nvmlDeviceGetTemperature, kTemperatureGpu, &celsius);
            plain = code == Code::kSuccess;
            return code;
          },
          [&] { return calls(api.nvmlDeviceGetTemperatureV, &temperature); }) == Code::kSuccess) {
    part.temperature = Celsius{plain ? static_cast<double>(celsius) : static_cast<double>(temperature.temperature)};
  }
  part.power = read_number<Watts>(calls, 1000, api.nvmlDeviceGetPowerUsage);

  unsigned long long reasons = 0;
  if (newer_or_older(
          calls, event_reasons_refused_, [&] { return calls(api.nvmlDeviceGetCurrentClocksEventReasons, &reasons); },
          [&] { return calls(api.nvmlDeviceGetCurrentClocksThrottleReasons, &reasons); }) == Code::kSuccess) {
    part.throttle = ThrottleReasons{reasons};
  }
  int state = kPstateUnknown;
  if (newer_or_older(
          calls, performance_state_refused_, [&] { return calls(api.nvmlDeviceGetPerformanceState, &state); },
          [&] { return calls(api.nvmlDeviceGetPowerState, &state); }) == Code::kSuccess &&
      state >= 0 && state < kPstateUnknown) {
    part.performance_state = static_cast<unsigned>(state);
  }
  part.encoder = read_codec(calls, api.nvmlDeviceGetEncoderUtilization);
  part.decoder = read_codec(calls, api.nvmlDeviceGetDecoderUtilization);
  return part;
}

void FastReader::read_memory(const Api& api, Calls& calls, FastPart& part) {
  MemoryV2 v2{};
  v2.version = version_of<MemoryV2>(2);
  Memory v1{};
  bool split = false;
  if (newer_or_older(
          calls, memory_v2_refused_,
          [&] {
            const Code code = calls(api.nvmlDeviceGetMemoryInfo_v2, &v2);
            split = code == Code::kSuccess;
            return code;
          },
          [&] { return calls(api.nvmlDeviceGetMemoryInfo, &v1); }) != Code::kSuccess) {
    return;
  }
  const auto total = split ? v2.total : v1.total;
  const auto used = split ? v2.used : v1.used;
  // Parts that share host memory have no memory of their own: they report 0, which would read as "full" or "empty".
  if (total == 0 && used == 0) return;
  if (total != 0) part.memory_total = Bytes{total};
  part.memory_used = Bytes{used};
  if (split) part.memory_reserved = Bytes{v2.reserved};
}

void FastPart::put_into(GpuReading& gpu) const {
  gpu.utilization = utilization;
  gpu.memory_utilization = memory_utilization;
  gpu.encoder = encoder;
  gpu.decoder = decoder;
  gpu.memory_used = memory_used;
  gpu.memory_total = memory_total;
  gpu.memory_reserved = memory_reserved;
  gpu.temperature = temperature;
  gpu.power = power;
  gpu.sm_clock = sm_clock;
  gpu.memory_clock = memory_clock;
  gpu.throttle = throttle;
  gpu.performance_state = performance_state;
}

bool FastPart::empty() const {
  return !utilization && !encoder && !decoder && !memory_used && !temperature && !power && !sm_clock && !memory_clock &&
         !throttle && !performance_state;
}

}  // namespace gputop::nvml
