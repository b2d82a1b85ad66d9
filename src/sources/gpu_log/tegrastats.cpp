// tegrastats on a Jetson: "05-01-2024 12:00:00 RAM 3308/7607MB … GR3D_FREQ 99%@1300 gpu@62.3C … VDD_GPU_SOC
// 1500mW/1500mW". RAM is host memory that the GPU shares, so it is not read as GPU memory.
#include <utility>

#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

// "99%@1300", "99%", "99%@[1098,1098]": the load comes first. "@[314]": no load given.
std::string_view load_of(std::string_view word) {
  const auto percent = word.find('%');
  return percent == std::string_view::npos ? std::string_view{} : slice(word, 0, percent);
}

std::optional<LogReading> tegra_row(std::string_view line) {
  const auto words = words_of(line);
  LogReading reading;
  bool work = false;
  bool ram = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool more = i + 1 < words.size();
    if (words[i] == "RAM" && more) ram = true;
    if ((words[i] == "GR3D_FREQ" || words[i] == "GR3D") && more) {
      work = true;
      reading.put("utilization_gpu", load_of(words[i + 1]));
    } else if (words[i].starts_with("GPU@") || words[i].starts_with("gpu@")) {
      reading.put("temperature_gpu", slice(words[i], 4, words[i].find('C', 4) - 4));
    } else if ((words[i] == "VDD_GPU_SOC" || words[i] == "POM_5V_GPU" || words[i] == "VDD_GPU") && more) {
      auto power = slice(words[i + 1], 0, words[i + 1].find('/'));
      if (power.ends_with("mW")) skip_back(power, 2);
      reading.put("power_draw", std::string{power} + " mW");
    }
  }
  reading.gpu.name = "Jetson (integrated)";
  return work && ram ? std::optional{std::move(reading)} : std::nullopt;
}

}  // namespace

bool is_tegrastats(std::string_view text) {
  for (auto at = text.find("GR3D"); at != std::string_view::npos; at = text.find("GR3D", at + 1)) {
    if (slice(text, at > 1024 ? at - 1024 : 0, 1024).find("RAM ") != std::string_view::npos) return true;
  }
  return false;
}

Result<SmiLog> read_tegrastats(std::string_view text, std::string_view file) {
  LogStream stream;
  smi::LineClock clock;
  std::optional<WallTime> wall;
  while (!text.empty()) {
    const auto line = next_line(text);
    auto row = tegra_row(line);
    if (const auto time = row ? std::nullopt : clock.read(line)) wall = time;
    if (!row) continue;
    const auto before = slice(line, 0, line.find("RAM "));
    if (const auto own = clock.read(before)) wall = own;
    std::vector<LogReading> gpus;
    gpus.push_back(*std::move(row));
    stream.add(std::exchange(wall, std::nullopt), std::move(gpus));
  }
  if (stream.rounds() == 0)
    return Error{Error::Kind::kInvalid, std::string{file} + ": holds no complete line of tegrastats"};
  return stream.finish("tegrastats log", "", "");
}

}  // namespace gputop::gpu_log
