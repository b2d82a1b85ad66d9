// A Theme prepared for one terminal: per role, what to set on a cell. A lookup is an array index.
#pragma once

#include <array>
#include <cstddef>

#include <ftxui/dom/elements.hpp>
#include <ftxui/screen/color.hpp>
#include <ftxui/screen/pixel.hpp>

#include "gputop/config/theme.hpp"
#include "gputop/term/color_depth.hpp"

namespace gputop::term {

struct Look {
  ftxui::Color foreground;  // Default: the terminal's own
  ftxui::Color background;
  bool bold = false;
  bool dim = false;
  bool underline = false;
  bool inverse = false;

  // Sets the colors of this look and turns its attributes on; anything it does not mention stays.
  void apply(ftxui::Pixel& pixel) const;
  bool operator==(const Look&) const = default;
};

class StyleSheet {
 public:
  // On a terminal without colors, attributes distinguish the roles: the theme's, otherwise a default for the role.
  StyleSheet(const Theme& theme, ColorDepth depth);

  [[nodiscard]] const Look& operator[](Role role) const { return looks_[static_cast<std::size_t>(role)]; }
  [[nodiscard]] ftxui::Decorator decorator(Role role) const;

 private:
  std::array<Look, static_cast<std::size_t>(Role::kCount)> looks_;
};

}  // namespace gputop::term
