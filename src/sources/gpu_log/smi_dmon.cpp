// nvidia-smi dmon: a line of names that begins with "#", a line of units, then one line per GPU; the names repeat. With
// --format csv the words are separated by commas.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

using DmonWords = std::vector<std::string>;

DmonWords dmon_words(std::string_view line) {
  DmonWords words;
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

// dmon writes "-" for unknown values.
std::optional<double> dmon_number(const std::string& word) {
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

bool is_dmon_header(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || char_at(line, begin) != '#') return false;
  const auto words = dmon_words(line);
  static constexpr std::string_view kColumns[] = {"pwr",  "gtemp", "temp",  "sm", "mem",   "enc",  "mclk",
                                                  "pclk", "pviol", "tviol", "fb", "sbecc", "rxpci"};
  const auto has = [&](std::string_view name) { return std::find(words.begin(), words.end(), name) != words.end(); };
  return has("gpu") && !has("pid") && std::any_of(std::begin(kColumns), std::end(kColumns), has);
}

}  // namespace

// Ignores shell output before the log.
bool is_smi_dmon(std::string_view text) {
  std::size_t tries = 10'000;
  for (auto at = text.find('#'); at != std::string_view::npos && tries > 0; at = text.find('#', at + 1)) {
    if (at > 0 && char_at(text, at - 1) != '\n' && char_at(text, at - 1) != ' ' && char_at(text, at - 1) != '\t') continue;
    --tries;
    auto rest = slice(text, at, 1024);
    if (is_dmon_header(next_line(rest))) return true;
  }
  return false;
}

Result<SmiLog> read_smi_dmon(std::string_view text, std::string_view file) {
  LogStream stream;
  DmonWords names;
  std::vector<LogReading> round;
  smi::LogClock clock;
  smi::LineClock dates;
  std::optional<WallTime> wall;
  std::optional<WallTime> dated;  // from a separate line
  std::size_t odd = 0;
  const auto finish = [&] { stream.add(wall, std::exchange(round, {})); };
  while (!text.empty()) {
    const auto line = next_line(text);
    const auto words = dmon_words(line);
    if (words.empty()) continue;
    if (is_dmon_header(line)) names = words;
    if (trimmed(line).starts_with('#')) continue;
    if (const auto time = dates.read(line)) {
      finish();
      dated = time;
      continue;
    }
    if (names.empty() || words.size() != names.size()) {
      ++odd;
      continue;
    }
    std::map<std::string, std::string> cells;
    LogReading reading;
    auto& gpu = reading.gpu;
    for (std::size_t i = 0; i < words.size(); ++i) {
      cells[names[i]] = words[i];
      if (const auto value = dmon_number(words[i])) read_into(gpu, names[i], *value);
    }
    const auto index = dmon_number(cells["gpu"]);
    if (!index || *index < 0 || *index > 1023) {
      ++odd;
      continue;
    }
    gpu.index = static_cast<unsigned>(*index);
    const bool again =
        std::any_of(round.begin(), round.end(), [&](const auto& known) { return known.gpu.index == gpu.index; });
    if (again) finish();
    if (round.empty()) wall = dated ? std::exchange(dated, std::nullopt) : clock.read(time_of(cells));
    round.push_back(std::move(reading));
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

}  // namespace gputop::gpu_log
