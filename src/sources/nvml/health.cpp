// The card's condition, for the doctor. All of it is optional; an old driver answers none of it.
#include "sources/nvml/read.hpp"
#include "sources/nvml/slow_reader.hpp"

namespace gputop::nvml {
namespace {

Reading<bool> read_switch(Calls& calls, const Function<Device, int*>& function) {
  const auto value = read_raw<int>(calls, function);
  return value ? Reading<bool>{*value != 0} : std::nullopt;
}

Reading<unsigned> read_recovery_action(const Api& api, Calls& calls) {
  FieldValue field{};
  field.field = kFieldRecoveryAction;
  field.code = Code::kNotSupported;
  if (calls(api.nvmlDeviceGetFieldValues, 1, &field) != Code::kSuccess) return std::nullopt;
  const auto action = field_count(field);
  return action ? Reading<unsigned>{static_cast<unsigned>(*action)} : std::nullopt;
}

}  // namespace

GpuHealth read_health(const Api& api, Calls& calls) {
  const char* const mark = calls.mark();
  GpuHealth health;
  health.default_power_limit = read_number<Watts>(calls, 1000, api.nvmlDeviceGetPowerManagementDefaultLimit);
  MarginTemperatureV1 margin{.version = version_of<MarginTemperatureV1>(1), .margin = 0};
  if (calls(api.nvmlDeviceGetMarginTemperature, &margin) == Code::kSuccess) {
    health.thermal_margin = Celsius{static_cast<double>(margin.margin)};
  }
  int ecc_now = 0;
  int ecc_later = 0;
  if (calls(api.nvmlDeviceGetEccMode, &ecc_now, &ecc_later) == Code::kSuccess) {
    health.ecc_enabled = ecc_now != 0;
    health.ecc_pending = ecc_later != 0;
  }
  health.pages_pending = read_switch(calls, api.nvmlDeviceGetRetiredPagesPendingStatus);
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (calls(api.nvmlDeviceGetRemappedRows, &corrected, &uncorrected, &pending, &failed) == Code::kSuccess) {
    health.remap_pending = pending != 0;
    health.remap_failed = failed != 0;
  }
  health.recovery_action = read_recovery_action(api, calls);
  health.pcie_replays = read_raw<unsigned>(calls, api.nvmlDeviceGetPcieReplayCounter);
  health.compute_mode = read_raw<int>(calls, api.nvmlDeviceGetComputeMode);
  calls.forget(mark);  // a failure here does not make the GPU faulty
  return health;
}

}  // namespace gputop::nvml
