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

// "[bold] [dim] [underline] [inverse] [COLOR] [on COLOR]", where a color is "#rgb", "#rrggbb" or "default" (the
// terminal's own). The error reads on after "bad: ".
Result<Style> parse_style(std::string_view text);

struct LoadedTheme {
  Theme theme;
  std::vector<Problem> problems;
  bool found = true;  // false: there is no theme of that name, this is the default
};

// The theme that another one inherits from.
std::optional<std::string> theme_base(std::string_view text);

// Roles that the text does not set, or sets wrongly, stay as in `base`. Pure; `file` only serves problems and the
// theme's name.
LoadedTheme parse_theme(std::string_view text, std::string_view file, const Theme& base);

}  // namespace gputop
