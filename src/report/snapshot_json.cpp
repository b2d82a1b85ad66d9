#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/core/secrets.hpp"
#include "gputop/report/snapshot.hpp"
#include "report/json_values.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

template <class Quantity>
Json json_of(const Reading<Quantity>& reading) {
  if constexpr (requires { reading->value(); }) {
    return reading ? Json(reading->value()) : Json(nullptr);
  } else {
    return reading ? Json(*reading) : Json(nullptr);
  }
}

Json json_of(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(printable(text));
}

const ProcessReading* host_side(const Model& model, std::int64_t pid) {
  for (const auto& row : model.processes) {
    if (row.pid == pid && row.host) return &*row.host;
  }
  return nullptr;
}

Json processes_json(const Model& model, const GpuReading& gpu) {
  if (!gpu.processes) return nullptr;
  Json list = Json::array();
  for (const auto& process : *gpu.processes) {
    const auto* host = host_side(model, process.pid);
    list.push_back({
        {"pid", process.pid},
        {"memory_used_bytes", json_of(process.memory_used)},
        {"utilization_percent", json_of(process.utilization)},
        {"user", host ? json_of(host->user) : Json(nullptr)},
        {"command", host ? json_of(mask_secrets(host->command)) : Json(nullptr)},
        {"type", to_string(process.type)},
    });
  }
  return list;
}

// Each of these is null as a whole if nothing about it is known.
Json activity_json(const GpuActivity& activity) {
  if (activity == GpuActivity{}) return nullptr;
  return {{"sm", json_of(activity.sm)},
          {"occupancy", json_of(activity.occupancy)},
          {"tensor", json_of(activity.tensor)},
          {"dram", json_of(activity.dram)}};
}

Json slowed_json(const SlowedTime& slowed) {
  if (slowed == SlowedTime{}) return nullptr;
  return {{"power_cap", json_of(slowed.power_cap)},
          {"software_thermal", json_of(slowed.software_thermal)},
          {"hardware_thermal", json_of(slowed.hardware_thermal)},
          {"power_brake", json_of(slowed.power_brake)}};
}

Json health_json(const GpuHealth& health) {
  if (health == GpuHealth{}) return nullptr;
  return {{"default_power_limit_watts", json_of(health.default_power_limit)},
          {"thermal_margin_celsius", json_of(health.thermal_margin)},
          {"ecc_enabled", json_of(health.ecc_enabled)},
          {"ecc_pending", json_of(health.ecc_pending)},
          {"pages_pending", json_of(health.pages_pending)},
          {"remap_pending", json_of(health.remap_pending)},
          {"remap_failed", json_of(health.remap_failed)},
          {"recovery_action", json_of(health.recovery_action)},
          {"pcie_replays", json_of(health.pcie_replays)},
          {"compute_mode", json_of(health.compute_mode)}};
}

Json mig_json(const GpuReading& gpu) {
  Json list = Json::array();
  for (const auto& instance : gpu.mig) {
    list.push_back({
        {"index", instance.index},
        {"name", json_of(instance.name)},
        {"uuid", json_of(instance.uuid)},
        {"gpu_instance", json_of(instance.gpu_instance)},
        {"compute_instance", json_of(instance.compute_instance)},
        {"memory_used_bytes", json_of(instance.memory_used)},
        {"memory_total_bytes", json_of(instance.memory_total)},
        {"multiprocessors", json_of(instance.multiprocessors)},
        {"activity_percent", activity_json(instance.activity)},
    });
  }
  return list;
}

Json nvlink_json(const GpuReading& gpu) {
  if (!gpu.nvlink) return nullptr;
  return {{"active", gpu.nvlink->active}, {"total", gpu.nvlink->total}, {"errors", json_of(gpu.nvlink->errors)}};
}

std::string error_text(const GpuTrack& track) {
  std::string text = track.now.error;
  if (text.empty() && track.now.state != GpuState::kOk) text = to_string(track.now.state);
  for (const auto& fault : track.faults) text += (text.empty() ? "" : "; ") + fault;
  return text;
}

// The contract's fields first, in its order; then everything else.
Json gpu_json(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  Json capability = nullptr;
  if (gpu.compute_capability) {
    capability = std::to_string(gpu.compute_capability->major) + "." + std::to_string(gpu.compute_capability->minor);
  }
  return {
      {"index", gpu.index},
      {"name", json_of(gpu.name)},
      {"uuid", json_of(gpu.uuid)},
      {"utilization_percent", json_of(gpu.utilization)},
      {"memory_used_bytes", json_of(gpu.memory_used)},
      {"memory_total_bytes", json_of(gpu.memory_total)},
      {"temperature_celsius", json_of(gpu.temperature)},
      {"fan_percent", json_of(gpu.fan)},
      {"power_watts", json_of(gpu.power)},
      {"power_limit_watts", json_of(gpu.power_limit)},
      {"sm_clock_mhz", json_of(gpu.sm_clock)},
      {"memory_clock_mhz", json_of(gpu.memory_clock)},
      {"pcie_rx_bytes_per_second", json_of(gpu.pcie_rx)},
      {"pcie_tx_bytes_per_second", json_of(gpu.pcie_tx)},
      {"encoder_percent", json_of(gpu.encoder)},
      {"decoder_percent", json_of(gpu.decoder)},
      {"throttle_reasons", gpu.throttle ? Json(throttle_names(*gpu.throttle)) : Json(nullptr)},
      {"processes", processes_json(model, gpu)},
      {"error", json_of(error_text(track))},
      {"state", to_string(gpu.state)},
      {"pci_bus_id", json_of(gpu.pci_bus_id)},
      {"memory_utilization_percent", json_of(gpu.memory_utilization)},
      {"memory_reserved_bytes", json_of(gpu.memory_reserved)},
      {"slowdown_temperature_celsius", json_of(gpu.slowdown_temperature)},
      {"max_power_limit_watts", json_of(gpu.max_power_limit)},
      {"energy_joules", json_of(gpu.energy)},
      {"max_sm_clock_mhz", json_of(gpu.max_sm_clock)},
      {"max_memory_clock_mhz", json_of(gpu.max_memory_clock)},
      {"pcie_generation", json_of(gpu.pcie.generation)},
      {"pcie_width", json_of(gpu.pcie.width)},
      {"pcie_max_generation", json_of(gpu.pcie.max_generation)},
      {"pcie_max_width", json_of(gpu.pcie.max_width)},
      {"performance_state", json_of(gpu.performance_state)},
      {"persistence", json_of(gpu.persistence)},
      {"ecc_corrected", json_of(gpu.ecc_corrected)},
      {"ecc_uncorrected", json_of(gpu.ecc_uncorrected)},
      {"compute_capability", capability},
      {"nvlink", nvlink_json(gpu)},
      {"nvlink_rx_bytes_per_second", json_of(gpu.nvlink_rx)},
      {"nvlink_tx_bytes_per_second", json_of(gpu.nvlink_tx)},
      {"memory_temperature_celsius", json_of(gpu.memory_temperature)},
      {"activity_percent", activity_json(gpu.activity)},
      {"slowed_percent", slowed_json(gpu.slowed)},
      {"health", health_json(gpu.health)},
      {"mig_enabled", json_of(gpu.mig_enabled)},
      {"mig", mig_json(gpu)},
  };
}

}  // namespace

std::string snapshot_json(const Model& model) {
  Json gpus = Json::array();
  for (const auto& track : model.gpus) gpus.push_back(gpu_json(model, track));
  const auto& host = model.host;
  const bool unavailable = model.gpu_source.state == SourceStatus::State::kUnavailable;
  const Json snapshot = {
      {"schema", "gputop.snapshot/1"},
      {"time", format_wall(model.wall(model.now))},
      {"source", json_of(model.gpu_source.source)},
      {"driver_version", json_of(model.gpu_source.driver_version)},
      {"gpus", gpus},
      {"host",
       {{"cpu_count", model.host_known ? Json(host.cpu_count) : Json(nullptr)},
        {"cpu_percent", json_of(host.cpu)},
        {"memory_used_bytes", json_of(host.memory_used)},
        {"memory_total_bytes", json_of(host.memory_total)},
        {"load1", json_of(host.load1)}}},
      {"simulated", model.simulated},
      {"error", unavailable ? json_of(model.gpu_source.message) : Json(nullptr)},
      {"job", report::job_json(model.job)},
  };
  return harmless_json(snapshot.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop
