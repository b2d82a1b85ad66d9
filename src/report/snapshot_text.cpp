#include <array>
#include <charconv>

#include "gputop/core/format.hpp"
#include "gputop/report/headless_lines.hpp"
#include "gputop/report/snapshot.hpp"

namespace gputop {
namespace {

// The shortest text that reads back as the same number: CSV and JSON say the same.
template <class Number>
std::string exact(Number value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <class Quantity>
std::string field(const Reading<Quantity>& reading) {
  return reading ? exact(reading->value()) : std::string{};
}

std::string field(const std::string& text) {
  const std::string safe = printable(text);
  if (safe.find_first_of(",\"") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return quoted + "\"";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::string csv_row(const Model& model, const GpuTrack& track) {
  const auto& gpu = track.now;
  std::string error = gpu.error;
  for (const auto& fault : track.faults) error += (error.empty() ? "" : "; ") + fault;
  const std::array<std::string, 20> fields{
      format_wall(model.wall(model.now)),
      exact(gpu.index),
      field(gpu.name),
      field(gpu.uuid),
      field(gpu.utilization),
      field(gpu.memory_used),
      field(gpu.memory_total),
      field(gpu.temperature),
      field(gpu.fan),
      field(gpu.power),
      field(gpu.power_limit),
      field(gpu.sm_clock),
      field(gpu.memory_clock),
      field(gpu.pcie_rx),
      field(gpu.pcie_tx),
      field(gpu.encoder),
      field(gpu.decoder),
      gpu.throttle ? joined(throttle_names(*gpu.throttle)) : std::string{},
      gpu.processes ? exact(gpu.processes->size()) : std::string{},
      field(error),
  };
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i == 0 ? "" : ",") + fields[i];
  return row + "\n";
}

std::string process_line(const ProcessRow& row) {
  std::string line = "  pid " + std::to_string(row.pid);
  line += "  GPU " + (row.gpu ? std::to_string(*row.gpu) : std::string{kUnknownText});
  line += "  SM " + format_reading(row.sm, " %");
  line += "  mem " + (row.gpu_memory ? format_bytes(*row.gpu_memory) : std::string{kUnknownText});
  if (row.host) line += "  " + printable(row.host->user) + "  " + printable(row.host->command);
  return line;
}

}  // namespace

std::string snapshot_csv(const Model& model) {
  std::string csv =
      "time,index,name,uuid,utilization_percent,memory_used_bytes,memory_total_bytes,temperature_celsius,fan_percent,"
      "power_watts,power_limit_watts,sm_clock_mhz,memory_clock_mhz,pcie_rx_bytes_per_second,pcie_tx_bytes_per_second,"
      "encoder_percent,decoder_percent,throttle_reasons,process_count,error\n";
  for (const auto& track : model.gpus) csv += csv_row(model, track);
  return csv;
}

std::string snapshot_table(const Model& model) {
  std::string text;
  if (model.simulated) text += "SIMULATED: these GPUs do not exist\n";
  if (!model.gpu_source.driver_version.empty()) text += "driver " + printable(model.gpu_source.driver_version) + "\n";
  if (model.gpus.empty()) {
    const auto& why = model.gpu_source.message;
    text += "no GPU" + (why.empty() ? "" : ": " + why) + "\n";
  }
  for (const auto& track : model.gpus) text += gpu_line(track) + "\n";
  bool heading = false;
  for (const auto& row : model.processes) {
    if (!row.gpu) continue;
    if (!heading) text += "processes\n";
    heading = true;
    text += process_line(row) + "\n";
  }
  if (model.host_known) text += host_line(model.host) + "\n";
  return text;
}

}  // namespace gputop
