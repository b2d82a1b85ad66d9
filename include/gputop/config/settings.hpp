// What the user may set: ~/.config/gputop/config.yaml and the setup screen (F2) hold the same values.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gputop {

enum class TemperatureUnit { kCelsius, kFahrenheit };

struct Settings {
  std::string theme = "default";
  std::chrono::milliseconds interval{1000};  // 100 ms … 1 min
  TemperatureUnit temperature_unit = TemperatureUnit::kCelsius;
  std::vector<std::string> hidden_panes;     // names from panes.def
  std::vector<std::string> process_columns;  // names from the processes pane; empty = all that fit
  std::string process_sort = "gpu_memory";
  bool process_sort_descending = true;
  bool process_tree = false;
  bool mouse = true;

  bool operator==(const Settings&) const = default;
};

}  // namespace gputop
