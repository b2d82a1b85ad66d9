// How many colors the terminal has, and its nearest color to a given one.
#pragma once

#include <cstdint>
#include <string_view>

#include <ftxui/screen/color.hpp>

#include "gputop/config/environment.hpp"
#include "gputop/config/theme.hpp"

namespace gputop::term {

enum class ColorDepth : std::uint8_t { kMono, k16, k256, kTrueColor };
std::string_view to_string(ColorDepth depth);

struct TerminalTraits {
  ColorDepth depth = ColorDepth::kMono;
  bool utf8 = false;
  bool dumb = false;  // no cursor movement: nothing can be drawn, only lines printed
  bool operator==(const TerminalTraits&) const = default;
};

// By NO_COLOR, COLORTERM, TERM; LC_ALL, LC_CTYPE, LANG. Reads no terminfo and asks the terminal nothing.
TerminalTraits detect_traits(const Environment& environment);

// The nearest color of that depth; the terminal's own at kMono. A truecolor value that is one of the 240 fixed palette
// entries becomes that entry: it looks the same and takes half the bytes.
ftxui::Color color_of(Rgb color, ColorDepth depth);

// FTXUI reduces colors when they are created, by its own guess at the terminal. Call this once, before any color is
// created: from then on, colors stay as color_of() made them.
void keep_ftxui_from_reducing_colors();

}  // namespace gputop::term
