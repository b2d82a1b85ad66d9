#include "fake_nvml/value.hpp"

#include <cstdio>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

namespace fake_nvml {
namespace {

using Table = std::pair<const char*, double>;

constexpr std::array<Table, 9> kSuffixes{{{"", 1},
                                          {"KiB", 1024.0},
                                          {"MiB", 1048576.0},
                                          {"GiB", 1073741824.0},
                                          {"TiB", 1099511627776.0},
                                          {"KB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12}}};

constexpr std::array<Table, 11> kWords{{{"off", 0},
                                        {"on", 1},
                                        {"gpu_idle", 0x1},
                                        {"applications_clocks_setting", 0x2},
                                        {"sw_power_cap", 0x4},
                                        {"hw_slowdown", 0x8},
                                        {"sync_boost", 0x10},
                                        {"sw_thermal_slowdown", 0x20},
                                        {"hw_thermal_slowdown", 0x40},
                                        {"hw_power_brake", 0x80},
                                        {"display_clock_setting", 0x100}}};

template <class Entries>
std::optional<double> find(const Entries& entries, const std::string& text) {
  for (const auto& [name, value] : entries) {
    if (text == name) return value;
  }
  return std::nullopt;
}

std::optional<double> parse_plain(const std::string& text) {
  if (const auto word = find(kWords, text)) return word;
  char* end = nullptr;
  const double number = text.starts_with("0x") ? static_cast<double>(std::strtoull(text.c_str(), &end, 16))
                                               : std::strtod(text.c_str(), &end);
  if (text.empty() || end == text.c_str()) return std::nullopt;
  const auto factor = find(kSuffixes, end);
  if (!factor) return std::nullopt;
  return number * *factor;
}

double number(const std::string& text, unsigned gpu) {
  const auto parsed = parse_number(text, gpu);
  if (!parsed) throw "\"" + text + "\" is not a number (as 12.5, 24GiB, 0x4, on, sw_power_cap, 10+5i)";
  return *parsed;
}

}  // namespace

double Value::at(double seconds) const {
  if (shape_ == Shape::kFile) {
    double number = 0;
    // By C's library: a stream of this library's libstdc++ may meet the facets of the one that gputop brings, and read 0.
    if (std::FILE* file = std::fopen(file_.c_str(), "re")) {
      if (std::fscanf(file, "%lf", &number) != 1) number = 0;
      std::fclose(file);
    }
    return number;
  }
  if (points_.empty()) return 0;
  switch (shape_) {
    case Shape::kCycle: return points_[static_cast<std::size_t>(seconds / period_) % points_.size()].second;
    case Shape::kWave: {
      const double low = points_[0].second;
      const double high = points_[1].second;
      return std::round(low + (high - low) * (0.5 - 0.5 * std::cos(2 * std::numbers::pi * seconds / period_)));
    }
    case Shape::kFile:
    case Shape::kSteps:
    case Shape::kLinear: break;
  }
  const auto next =
      std::find_if(points_.begin(), points_.end(), [&](const auto& point) { return point.first > seconds; });
  if (next == points_.begin()) return next->second;
  const auto& [from, value] = *(next - 1);
  if (shape_ == Shape::kSteps || next == points_.end()) return value;
  return value + (next->second - value) * (seconds - from) / (next->first - from);
}

std::optional<double> parse_number(const std::string& text, unsigned gpu) {
  double sum = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('+', begin), text.size());
    auto term = text.substr(begin, end - begin);
    double factor = 1;
    if (term.size() > 1 && term.back() == 'i' && find(kWords, term) == std::nullopt) {
      term.pop_back();
      factor = gpu;
    }
    const auto parsed = parse_plain(term);
    if (!parsed) return std::nullopt;
    sum += *parsed * factor;
    begin = end + 1;
  }
  return sum;
}

std::optional<double> parse_seconds(const std::string& text) {
  if (text == "forever" || text == "ever") return std::numeric_limits<double>::infinity();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  constexpr std::array<Table, 5> kUnits{{{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  const auto unit = find(kUnits, end);
  if (!unit) return std::nullopt;
  return number * *unit;
}

Value parse_value(const std::vector<std::string>& words, std::size_t from, unsigned gpu) {
  if (from >= words.size()) throw std::string{"a value is missing"};
  const auto& shape = words[from];
  const std::size_t rest = words.size() - from - 1;
  std::vector<std::pair<double, double>> points;
  if (shape == "steps" || shape == "linear") {
    for (std::size_t i = from + 1; i < words.size(); ++i) {
      const auto colon = words[i].find(':');
      if (colon == std::string::npos) throw "\"" + words[i] + "\" is not SECOND:VALUE";
      points.emplace_back(number(words[i].substr(0, colon), 0), number(words[i].substr(colon + 1), gpu));
    }
    if (points.empty()) throw shape + " needs at least one SECOND:VALUE";
    return {shape == "steps" ? Value::Shape::kSteps : Value::Shape::kLinear, points};
  }
  if (shape == "file") {
    if (rest != 1) throw std::string{"a file is: file PATH"};
    return Value{words[from + 1]};
  }
  if (shape == "cycle" || shape == "wave") {
    const bool wave = shape == "wave";
    if (rest < 2 || (wave && rest != 3)) {
      throw std::string{wave ? "a wave is: wave LOW HIGH PERIOD" : "a cycle is: cycle SECONDS VALUE…"};
    }
    const double period = number(wave ? words[from + 3] : words[from + 1], 0);
    if (period <= 0) throw std::string{"the period must be above 0 s"};
    for (std::size_t i = wave ? from + 1 : from + 2; i < (wave ? from + 3 : words.size()); ++i) {
      points.emplace_back(0, number(words[i], gpu));
    }
    return {wave ? Value::Shape::kWave : Value::Shape::kCycle, points, period};
  }
  if (rest != 0) throw "\"" + words[from + 1] + "\" after the value is not understood";
  return Value{number(shape, gpu)};
}

}  // namespace fake_nvml
