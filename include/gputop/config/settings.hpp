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
  bool notify = false;   // a message from the terminal when a run ends, runs out of memory or stalls, or a GPU is lost
  std::string on_event;  // a command for the same; "": none
  int scrollback = 3000;  // lines of a run's output above its screen, kLeastScrollback … kMostScrollback

  static constexpr int kLeastScrollback = 100;
  static constexpr int kMostScrollback = 100'000;

  bool operator==(const Settings&) const = default;
};

}  // namespace gputop
