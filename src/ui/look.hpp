// A theme's roles as FTXUI's cells have them.
#pragma once

#include <array>
#include <cstddef>

#include <ftxui/screen/color.hpp>

#include "gputop/config/theme.hpp"

namespace gputop::ui {

struct Look {
  ftxui::Color foreground;
  ftxui::Color background;
  bool bold = false;
  bool dim = false;
  bool underlined = false;
  bool inverted = false;
};

using Looks = std::array<Look, static_cast<std::size_t>(Role::kCount)>;

Looks looks_of(const Theme& theme);

}  // namespace gputop::ui
