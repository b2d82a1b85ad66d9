#include "gputop/report/gpu_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// Appends: ten days of eight GPUs are seven million lines.
class Line {
 public:
  explicit Line(std::string& out) : out_(out) {}

  // The shortest text that reads back as the same number, so CSV and JSON agree.
  template <class Number>
  void number(Number value) {
    std::array<char, 32> text{};
    out_.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
  }
  template <class Quantity>
  void reading(const Reading<Quantity>& reading) {
    out_ += ',';
    if (reading) number(reading->value());
  }
  void text(std::string_view text) {
    out_ += ',';
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F && c != ',' && c != '"'; });
    if (plain && !is_formula(text)) {
      out_ += text;
      return;
    }
    const std::string safe = (is_formula(text) ? "'" : "") + printable(text);
    const bool quoted = safe.find_first_of(",\"") != std::string::npos;
    if (quoted) out_ += '"';
    for (const char c : safe) {
      if (c == '"') out_ += '"';
      out_ += c;
    }
    if (quoted) out_ += '"';
  }

 private:
  // A spreadsheet executes a cell that begins like this; an apostrophe in front makes it text.
  static bool is_formula(std::string_view text) { return text.find_first_of("=+-@") == 0; }

  std::string& out_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

}  // namespace

std::string gpu_csv_header() {
  return "time,index,name,uuid,utilization_percent,memory_used_bytes,memory_total_bytes,temperature_celsius,fan_"
         "percent,"
         "power_watts,power_limit_watts,sm_clock_mhz,memory_clock_mhz,pcie_rx_bytes_per_second,pcie_tx_bytes_per_"
         "second,"
         "encoder_percent,decoder_percent,throttle_reasons,process_count,error\n";
}

void append_gpu_csv_line(std::string& out, std::string_view time, const GpuReading& gpu, std::string_view error) {
  Line line{out};
  out += time;
  out += ',';
  line.number(gpu.index);
  line.text(gpu.name);
  line.text(gpu.uuid);
  line.reading(gpu.utilization);
  line.reading(gpu.memory_used);
  line.reading(gpu.memory_total);
  line.reading(gpu.temperature);
  line.reading(gpu.fan);
  line.reading(gpu.power);
  line.reading(gpu.power_limit);
  line.reading(gpu.sm_clock);
  line.reading(gpu.memory_clock);
  line.reading(gpu.pcie_rx);
  line.reading(gpu.pcie_tx);
  line.reading(gpu.encoder);
  line.reading(gpu.decoder);
  line.text(gpu.throttle ? joined(throttle_names(*gpu.throttle)) : std::string{});
  out += ',';
  if (gpu.processes) line.number(gpu.processes->size());
  line.text(error);
  out += '\n';
}

}  // namespace gputop
