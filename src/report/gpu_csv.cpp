#include "gputop/report/gpu_csv.hpp"

#include <array>
#include <charconv>
#include <vector>

#include "gputop/core/format.hpp"

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

}  // namespace

std::string gpu_csv_header() {
  return "time,index,name,uuid,utilization_percent,memory_used_bytes,memory_total_bytes,temperature_celsius,fan_percent,"
         "power_watts,power_limit_watts,sm_clock_mhz,memory_clock_mhz,pcie_rx_bytes_per_second,pcie_tx_bytes_per_second,"
         "encoder_percent,decoder_percent,throttle_reasons,process_count,error\n";
}

std::string gpu_csv_line(WallTime at, const GpuReading& gpu, std::string_view error) {
  const std::array<std::string, 20> fields{
      format_wall(at),
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
      field(std::string{error}),
  };
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i == 0 ? "" : ",") + fields[i];
  return row + "\n";
}

}  // namespace gputop
