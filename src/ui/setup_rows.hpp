// The settings a user can change on the setup screen, one entry each: how it reads and how it changes.
#pragma once

#include <string>
#include <vector>

#include "gputop/app/effect.hpp"
#include "ui/look.hpp"

namespace gputop::ui {

struct SetupRow {
  enum class Kind : std::uint8_t {
    kTheme,
    kInterval,
    kTemperature,
    kMouse,
    kNotify,
    kScrollback,
    kPane,
    kColumn,
    kSort,
    kDirection,
    kTree
  };
  Kind kind = Kind::kTheme;
  std::size_t index = 0;  // pane, column
};

std::vector<SetupRow> setup_rows();
// On or off.
bool is_switch(const SetupRow& row);
std::string setup_label(const SetupRow& row);
std::string setup_value(const SetupRow& row, const Settings& settings);

// One step up or down (+1, -1). The effects make it visible at once.
std::vector<Effect> change_setting(const SetupRow& row, int step, Settings& settings, const Choices& choices);

}  // namespace gputop::ui
