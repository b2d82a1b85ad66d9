// One entry per setting: see setting_keys.hpp.
#include "config/setting_keys.hpp"

#include <array>
#include <charconv>

#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

using Complaint = std::optional<std::string>;

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  const std::string safe = printable(text.substr(0, kShown));
  return '"' + safe + (text.size() > kShown ? "…\"" : "\"");
}

// The present value, for a message.
std::string shown(const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::kNothing: return "nothing";
    case YamlValue::Kind::kScalar: return in_quotes(value.scalar);
    case YamlValue::Kind::kList: return "a list";
    case YamlValue::Kind::kOther: return "a mapping";
  }
  return {};
}

template <std::string Settings::*member>
Complaint read_name(const YamlValue& value, Settings& settings) {
  if (value.kind != YamlValue::Kind::kScalar || value.scalar.empty()) return shown(value) + " is not a name";
  settings.*member = value.scalar;
  return std::nullopt;
}
template <std::string Settings::*member>
std::string write_name(const Settings& settings) {
  return yaml_scalar(settings.*member);
}

Complaint read_command(const YamlValue& value, Settings& settings) {
  if (value.kind == YamlValue::Kind::kNothing) return settings.on_event.clear(), std::nullopt;
  if (value.kind != YamlValue::Kind::kScalar) return shown(value) + " is not a command";
  settings.on_event = value.scalar;
  return std::nullopt;
}
std::string write_command(const Settings& settings) {
  return settings.on_event.empty() ? "" : yaml_scalar(settings.on_event);
}

template <bool Settings::*member>
Complaint read_switch(const YamlValue& value, Settings& settings) {
  for (const std::string_view yes : {"true", "yes", "on"}) {
    if (value.scalar == yes) return settings.*member = true, std::nullopt;
  }
  for (const std::string_view no : {"false", "no", "off"}) {
    if (value.scalar == no) return settings.*member = false, std::nullopt;
  }
  return shown(value) + " is neither true nor false";
}
template <bool Settings::*member>
std::string write_switch(const Settings& settings) {
  return settings.*member ? "true" : "false";
}

template <std::vector<std::string> Settings::*member>
Complaint read_names(const YamlValue& value, Settings& settings) {
  if (value.kind == YamlValue::Kind::kNothing) return settings.*member = {}, std::nullopt;
  if (value.kind != YamlValue::Kind::kList) return shown(value) + " is not a list (try [name, name])";
  settings.*member = value.list;
  return std::nullopt;
}
template <std::vector<std::string> Settings::*member>
std::string write_names(const Settings& settings) {
  std::string text = "[";
  for (const auto& name : settings.*member) text += (text.size() > 1 ? ", " : "") + yaml_scalar(name);
  return text + ']';
}

Complaint read_interval(const YamlValue& value, Settings& settings) {
  if (value.kind != YamlValue::Kind::kScalar) return shown(value) + " is not a duration (try 500ms)";
  const auto interval = parse_interval(value.scalar);
  if (!interval) return printable(interval.error().message);
  settings.interval = *interval;
  return std::nullopt;
}
std::string write_interval(const Settings& settings) {
  const auto count = settings.interval.count();
  return count % 1000 == 0 ? std::to_string(count / 1000) + "s" : std::to_string(count) + "ms";
}

Complaint read_temperature(const YamlValue& value, Settings& settings) {
  if (value.scalar == "celsius") return settings.temperature_unit = TemperatureUnit::kCelsius, std::nullopt;
  if (value.scalar == "fahrenheit") return settings.temperature_unit = TemperatureUnit::kFahrenheit, std::nullopt;
  return shown(value) + " is neither celsius nor fahrenheit";
}
std::string write_temperature(const Settings& settings) {
  return settings.temperature_unit == TemperatureUnit::kCelsius ? "celsius" : "fahrenheit";
}

Complaint read_scrollback(const YamlValue& value, Settings& settings) {
  int lines = 0;
  const char* const end = value.scalar.data() + value.scalar.size();
  const auto read = std::from_chars(value.scalar.data(), end, lines);
  if (value.kind != YamlValue::Kind::kScalar || read.ec != std::errc{} || read.ptr != end ||
      lines < Settings::kLeastScrollback || lines > Settings::kMostScrollback) {
    return shown(value) + " is not a number of lines from " + std::to_string(Settings::kLeastScrollback) + " to " +
           std::to_string(Settings::kMostScrollback) + " (try " + std::to_string(Settings{}.scrollback) + ")";
  }
  settings.scrollback = lines;
  return std::nullopt;
}
std::string write_scrollback(const Settings& settings) {
  return std::to_string(settings.scrollback);
}

constexpr std::array<SettingKey, 12> kKeys{{
    {"theme", "Colors: the name of a theme, or the path of a theme file.", read_name<&Settings::theme>,
     write_name<&Settings::theme>},
    {"interval", "Time between readings: 100ms to 1m.", read_interval, write_interval},
    {"temperature_unit", "celsius or fahrenheit.", read_temperature, write_temperature},
    {"hidden_panes", "Panes that are not shown, for example [host, events].", read_names<&Settings::hidden_panes>,
     write_names<&Settings::hidden_panes>},
    {"process_columns", "Columns of the process table, in this order; empty: all that fit.",
     read_names<&Settings::process_columns>, write_names<&Settings::process_columns>},
    {"process_sort", "The column the process table is sorted by.", read_name<&Settings::process_sort>,
     write_name<&Settings::process_sort>},
    {"process_sort_descending", "Largest first.", read_switch<&Settings::process_sort_descending>,
     write_switch<&Settings::process_sort_descending>},
    {"process_tree", "Children below their parents.", read_switch<&Settings::process_tree>,
     write_switch<&Settings::process_tree>},
    {"mouse", "Click, scroll and drag; off leaves the mouse to the terminal.", read_switch<&Settings::mouse>,
     write_switch<&Settings::mouse>},
    {"notify",
     "A message of the terminal (OSC 9 and 777, and the bell) when a run ends, is out of memory or stands still, or a GPU "
     "is lost.",
     read_switch<&Settings::notify>, write_switch<&Settings::notify>},
    {"on_event", "A command for the same, run by sh: $GPUTOP_EVENT and $GPUTOP_TEXT say what happened.", read_command,
     write_command},
    {"scrollback",
     "Lines of a run's output that can be scrolled back to at once: 100 to 100000. Older ones are in its recording.",
     read_scrollback, write_scrollback},
}};

}  // namespace

std::span<const SettingKey> setting_keys() {
  return kKeys;
}

}  // namespace gputop
