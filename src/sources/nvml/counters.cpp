#include "sources/nvml/counters.hpp"

#include <algorithm>
#include <utility>

#include "sources/nvml/read.hpp"

namespace gputop::nvml {
namespace {

// In the order of CounterReader's counters; the memory temperature comes last and is not a counter. The three slowdown
// ids were 251-253 in driver 575 only, where these ids mean something else.
constexpr std::array kFields{kFieldPcieTransmitBytes,   kFieldPcieReceiveBytes,    kFieldPowerCapTime,
                             kFieldSoftwareThermalTime, kFieldHardwareThermalTime, kFieldPowerBrakeTime,
                             kFieldNvLinkTransmitData,  kFieldNvLinkReceiveData,   kFieldMemoryTemperature};

Reading<BytesPerSecond> bytes(std::optional<double> per_microsecond, double unit) {
  if (!per_microsecond) return std::nullopt;
  return BytesPerSecond{*per_microsecond * unit * 1e6};
}

// Nanoseconds slowed per microsecond.
Reading<Percent> share(std::optional<double> per_microsecond) {
  if (!per_microsecond) return std::nullopt;
  return Percent{std::min(100.0, *per_microsecond / 1000 * 100)};
}

}  // namespace

void CounterReader::read(const Api& api, Calls& calls, GpuReading& gpu) {
  gpu.slowed = {};
  gpu.nvlink_rx.reset();
  gpu.nvlink_tx.reset();
  gpu.memory_temperature.reset();
  if (refused_) return;
  std::array<FieldValue, kFields.size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].field = kFields[i];
    fields[i].code = Code::kNotSupported;
    if (kFields[i] == kFieldNvLinkTransmitData || kFields[i] == kFieldNvLinkReceiveData) fields[i].scope = kAllLinks;
  }
  const char* const mark = calls.mark();
  const Code code = calls(api.nvmlDeviceGetFieldValues, static_cast<int>(fields.size()), fields.data());
  if (code != Code::kSuccess) {
    calls.forget(mark);  // a driver without counters is not an error
    refused_ = deserves_fallback(code);
    return;
  }
  std::array<std::optional<double>, kCounters> rates;
  for (std::size_t i = 0; i < kCounters; ++i) rates[i] = per_microsecond(i, fields[i]);
  counts_pcie_ = seen_[0] && seen_[1];
  if (counts_pcie_) {
    gpu.pcie_tx = bytes(rates[0], 1);
    gpu.pcie_rx = bytes(rates[1], 1);
  }
  gpu.slowed = {.power_cap = share(rates[2]),
                .software_thermal = share(rates[3]),
                .hardware_thermal = share(rates[4]),
                .power_brake = share(rates[5])};
  constexpr double kKibibyte = 1024;
  gpu.nvlink_tx = bytes(rates[6], kKibibyte);
  gpu.nvlink_rx = bytes(rates[7], kKibibyte);
  if (const auto celsius = field_count(fields[kCounters])) {
    gpu.memory_temperature = Celsius{static_cast<double>(*celsius)};
  }
}

std::optional<double> CounterReader::per_microsecond(std::size_t which, const FieldValue& field) {
  const auto count = field_count(field);
  const auto before = std::exchange(seen_[which], std::nullopt);
  if (!count || field.time_us <= 0) return std::nullopt;
  seen_[which] = Seen{*count, field.time_us};
  if (!before || field.time_us <= before->time_us || *count < before->count) return std::nullopt;
  return static_cast<double>(*count - before->count) / static_cast<double>(field.time_us - before->time_us);
}

}  // namespace gputop::nvml
