#include "gputop/advisor/value_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gputop/core/format.hpp"

namespace gputop {

std::string value_words(bool value) {
  return value ? "on" : "off";
}
std::string value_words(unsigned value) {
  return std::to_string(value);
}
std::string value_words(std::uint64_t value) {
  return std::to_string(value);
}

std::string value_words(double value) {
  constexpr int kMostDecimals = 12;
  int decimals = 2;
  for (double left = std::abs(value); left > 0 && left < 1 && decimals < kMostDecimals; left *= 10) ++decimals;
  auto text = format_number(value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_words(const std::string& value) {
  return printable(value);
}
std::string value_words(Precision value) {
  return std::string{to_string(value)};
}
std::string value_words(OptimizerKind value) {
  return std::string{to_string(value)};
}
std::string value_words(Duration value) {
  constexpr double kLong = 10;  // s
  if (to_seconds(value) >= kLong) return format_duration(value);
  return format_number(to_seconds(value) * 1000, 1) + " ms";
}
std::string value_words(Bytes value) {
  return format_bytes(value);
}

std::string name_words(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kWords{{
      {"gpu_utilization", "busy"},
      {"gpu_compute", "GPU computes"},
      {"host_gap", "waits for Python"},
      {"input_wait", "waits for data"},
      {"input_wait_share", "waits for data"},
      {"transfer", "copies to the GPU"},
      {"transfer_share", "copies to the GPU"},
      {"communication", "exchange between GPUs"},
      {"communication_share", "exchange between GPUs"},
      {"pause_share", "pauses"},
      {"fetch_cpu", "fetching that computes"},
      {"fetch_cpu_share", "fetching that computes"},
      {"checkpoint_share", "writing checkpoints"},
      {"gpu_memory", "GPU memory, peak"},
      {"gpu_memory_of_run", "GPU memory of the run"},
      {"gpu_memory_of_others", "GPU memory of others"},
      {"thermal", "slowed by heat"},
      {"power_capped", "slowed by the power limit"},
      {"clock", "clock, of full"},
      {"neighbour_memory", "memory held by others"},
      {"neighbour_utilization", "GPU time taken by others"},
      {"cpu_pressure", "waits for a core"},
      {"io_pressure", "waits for the disk"},
      {"quota_throttled", "held back at the CPU limit"},
      {"host_cpu", "CPU"},
      {"host_memory", "RAM"},
      {"samples_per_second", "samples/s"},
      {"tokens_per_second", "tokens/s"},
  }};
  for (const auto& [id, words] : kWords) {
    if (id == name) return std::string{words};
  }
  std::string text{name};
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace gputop
