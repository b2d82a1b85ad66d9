// nvidia-smi dmon: a line of names that begins with "#", a line of units likewise, a line for each GPU; the names come
// again and again. With --format csv there are commas between the words.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "gputop/core/scan.hpp"
#include "gputop/sources/gpu_log.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
  Words words;
  std::string word;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '#' && c != ',') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// "-" is what dmon writes for what it does not know.
std::optional<double> number_of(const std::string& word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void add_violation(GpuReading& gpu, bool active, ThrottleReason reason) {
  const auto bits = gpu.throttle ? gpu.throttle->bits() : 0;
  gpu.throttle = ThrottleReasons{active ? bits | static_cast<std::uint64_t>(reason) : bits};
}

void read_into(GpuReading& gpu, const std::string& name, double value) {
  constexpr double kMega = 1e6;
  if (name == "pwr") gpu.power = Watts{value};
  if (name == "gtemp" || name == "temp") gpu.temperature = Celsius{value};
  if (name == "sm") gpu.utilization = Percent{value};
  if (name == "mem") gpu.memory_utilization = Percent{value};
  if (name == "enc") gpu.encoder = Percent{value};
  if (name == "dec") gpu.decoder = Percent{value};
  if (name == "mclk") gpu.memory_clock = Megahertz{value};
  if (name == "pclk") gpu.sm_clock = Megahertz{value};
  if (name == "fb" && value >= 0) gpu.memory_used = Bytes{static_cast<std::uint64_t>(value) << 20U};
  if (name == "rxpci") gpu.pcie_rx = BytesPerSecond{value * kMega};
  if (name == "txpci") gpu.pcie_tx = BytesPerSecond{value * kMega};
  if (name == "sbecc" && value >= 0) gpu.ecc_corrected = static_cast<std::uint64_t>(value);
  if (name == "dbecc" && value >= 0) gpu.ecc_uncorrected = static_cast<std::uint64_t>(value);
  if (name == "tviol") add_violation(gpu, value > 0, ThrottleReason::kHardwareThermal);
  if (name == "pviol") add_violation(gpu, value >= 50, ThrottleReason::kSoftwarePowerCap);  // % of the time
}

// "20240501" and "12:00:00" (-o DT), or a time alone (-o T).
std::string time_of(const std::map<std::string, std::string>& cells) {
  const auto time = cells.find("Time");
  const auto date = cells.find("Date");
  if (time == cells.end() || date == cells.end() || date->second.size() != 8)
    return time == cells.end() ? "" : time->second;
  const auto& day = date->second;
  return slice(day, 0, 4) + "/" + slice(day, 4, 2) + "/" + slice(day, 6, 2) + " " + time->second;
}

}  // namespace

bool is_dmon_header(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || char_at(line, begin) != '#') return false;
  const auto words = words_of(line);
  static constexpr std::string_view kColumns[] = {"pwr",  "gtemp", "temp",  "sm", "mem",   "enc",  "mclk",
                                                  "pclk", "pviol", "tviol", "fb", "sbecc", "rxpci"};
  const auto has = [&](std::string_view name) { return std::find(words.begin(), words.end(), name) != words.end(); };
  return has("gpu") && !has("pid") && std::any_of(std::begin(kColumns), std::end(kColumns), has);
}

Result<SmiLog> parse_dmon_log(std::string_view text, std::string_view file) {
  gpu_log::LogStream stream;
  Words names;
  std::vector<GpuReading> round;
  smi::LogClock clock;
  std::optional<WallTime> wall;
  std::size_t odd = 0;
  const auto finish = [&] { stream.add(wall, std::exchange(round, {})); };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = slice(text, 0, end);
    skip_front(text, end + 1);
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (is_dmon_header(line)) names = words;
    if (char_at(line, line.find_first_not_of(" \t")) == '#') continue;
    if (names.empty() || words.size() != names.size()) {
      ++odd;
      continue;
    }
    std::map<std::string, std::string> cells;
    GpuReading gpu;
    for (std::size_t i = 0; i < words.size(); ++i) {
      cells[names[i]] = words[i];
      if (const auto value = number_of(words[i])) read_into(gpu, names[i], *value);
    }
    const auto index = number_of(cells["gpu"]);
    if (!index || *index < 0 || *index > 1023) {
      ++odd;
      continue;
    }
    gpu.index = static_cast<unsigned>(*index);
    const bool again =
        std::any_of(round.begin(), round.end(), [&](const GpuReading& known) { return known.index == gpu.index; });
    if (again) finish();
    if (round.empty()) wall = clock.read(time_of(cells));
    round.push_back(std::move(gpu));
  }
  finish();
  if (stream.rounds() == 0) {
    return Error{
        Error::Kind::kInvalid,
        std::string{file} + ": holds no readings of nvidia-smi dmon (a line “# gpu pwr …”, then one for each GPU)"};
  }
  auto log = stream.finish("nvidia-smi dmon log", "", "");
  if (odd > 0)
    log.notes.push_back(std::to_string(odd) + (odd == 1 ? " line" : " lines") +
                        " left out (cut off, or not of this log)");
  return log;
}

}  // namespace gputop
