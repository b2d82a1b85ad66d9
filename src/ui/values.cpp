#include "ui/values.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "ui/text.hpp"

namespace gputop::ui {

Reading<double> share_of(const Reading<Percent>& percent) {
  if (!percent) return std::nullopt;
  return percent->value() / 100;
}

Reading<double> share_of(const Reading<Bytes>& part, const Reading<Bytes>& whole) {
  if (!part || !whole || whole->value() == 0) return std::nullopt;
  return *part / *whole;
}

Role level(const Reading<double>& value, double warning, double bad, Role fine) {
  if (!value) return Role::kUnknown;
  return *value >= bad ? Role::kBad : *value >= warning ? Role::kWarning : fine;
}

std::string percent_text(const Reading<Percent>& percent) {
  return format_reading(percent, " %");
}

std::string temperature_text(const Reading<Celsius>& temperature, TemperatureUnit unit) {
  if (!temperature) return std::string{kUnknownText};
  if (unit == TemperatureUnit::kFahrenheit) return format_number(temperature->value() * 9 / 5 + 32, 0) + " °F";
  return format_number(temperature->value(), 0) + " °C";
}

std::string used_of_text(const Reading<Bytes>& used, const Reading<Bytes>& total) {
  if (!total || total->value() == 0) return bytes_text(used);
  const auto whole = format_bytes(*total);
  const auto unit = whole.substr(whole.find(' '));
  const auto number = whole.substr(0, whole.find(' '));
  if (!used) return std::string{kUnknownText} + "/" + number + unit;
  double divisor = 1;
  for (double rest = static_cast<double>(total->value()); rest >= 1023.95; rest /= 1024) divisor *= 1024;
  const double part = static_cast<double>(used->value()) / divisor;
  return format_number(part, part >= 99.95 || divisor == 1 ? 0 : 1) + "/" + number + unit;
}

std::string short_bytes(const Reading<Bytes>& bytes) {
  if (!bytes) return std::string{kUnknownText};
  auto text = format_bytes(*bytes);
  const auto space = text.find(' ');
  return text.substr(0, space) + text.substr(space + 1, 1);
}

std::string bytes_text(const Reading<Bytes>& bytes) {
  return bytes ? format_bytes(*bytes) : std::string{kUnknownText};
}

std::string rate_text(const Reading<BytesPerSecond>& rate) {
  return rate ? format_rate(*rate) : std::string{kUnknownText};
}

std::string power_text(const Reading<Watts>& power, const Reading<Watts>& limit) {
  if (!power && !limit) return std::string{kUnknownText};
  const auto text = format_reading(power, "");
  return limit ? joined({text, "/", format_number(limit->value(), 0), " W"}) : text + " W";
}

namespace {

std::string listed(std::initializer_list<std::pair<const char*, Reading<Percent>>> parts, double least) {
  std::string text;
  for (const auto& [name, share] : parts) {
    if (!share || share->value() < least) continue;
    text += (text.empty() ? "" : " · ") + std::string{name} + " " + format_reading(share, " %");
  }
  return text;
}

}  // namespace

std::string activity_text(const GpuActivity& activity) {
  return listed({{"tensor", activity.tensor}, {"SM", activity.sm}, {"DRAM", activity.dram}}, 0);
}

std::string inside_text(const GpuReading& gpu) {
  if (gpu.mig.empty()) return activity_text(gpu.activity);
  Reading<Bytes> used;
  Reading<Bytes> total;
  const auto add = [](Reading<Bytes>& sum, const Reading<Bytes>& part) {
    if (part) sum = sum.value_or(Bytes{}) + *part;
  };
  for (const auto& instance : gpu.mig) {
    add(used, instance.memory_used);
    add(total, instance.memory_total);
  }
  return std::to_string(gpu.mig.size()) + (gpu.mig.size() == 1 ? " instance · " : " instances · ") + used_of_text(used, total);
}

std::string slowed_time_text(const SlowedTime& slowed) {
  return listed({{"power limit", slowed.power_cap},
                 {"heat (software)", slowed.software_thermal},
                 {"heat (hardware)", slowed.hardware_thermal},
                 {"power brake", slowed.power_brake}},
                0.5);
}

}  // namespace gputop::ui
