// A theme's YAML → Theme. One line per role:  good: "#87d75f"   bad: "bold #ff5f5f on #300000"   text: default
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/config/problem.hpp"
#include "gputop/config/theme.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// "[bold] [dim] [underline] [inverse] [COLOUR] [on COLOUR]", a colour being "#rgb", "#rrggbb" or "default" (the
// terminal's own). The error reads on after "bad: ".
Result<Style> parse_style(std::string_view text);

struct LoadedTheme {
  Theme theme;
  std::vector<Problem> problems;
  bool found = true;  // false: there is none of that name, this is the default
};

// The theme another one is built on.
std::optional<std::string> theme_base(std::string_view text);

// Roles the text does not set, or sets wrongly, stay as in `base`. Pure; `file` is only for the problems and the
// theme's name.
LoadedTheme parse_theme(std::string_view text, std::string_view file, const Theme& base);

}  // namespace gputop
