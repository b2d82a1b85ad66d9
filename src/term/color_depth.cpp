// Detection and nearest colors: see color_depth.hpp.
#include "gputop/term/color_depth.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <ftxui/screen/terminal.hpp>

namespace gputop::term {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Empty counts as unset, as in POSIX for LC_* and at no-color.org for NO_COLOR.
std::string value_of(const Environment& environment, std::string_view name) {
  return environment(name).value_or("");
}

ColorDepth detect_depth(const Environment& environment) {
  if (!value_of(environment, "NO_COLOR").empty()) return ColorDepth::kMono;
  const std::string term = value_of(environment, "TERM");
  const std::string colorterm = value_of(environment, "COLORTERM");
  if (term.empty() || term == "dumb" || term.starts_with("vt1") || term.starts_with("vt2") || contains(term, "-mono") ||
      term.ends_with("-m")) {
    return ColorDepth::kMono;
  }
  // The Linux console shows truecolor escapes as 16 colors, and GNU screen before 5 drops them.
  if (term == "linux" || term.starts_with("linux-")) return ColorDepth::k16;
  const bool screen = term == "screen" || term.starts_with("screen.") || term.starts_with("screen-");
  const bool tmux = !value_of(environment, "TMUX").empty();
  const bool claims_true = contains(colorterm, "truecolor") || contains(colorterm, "24bit");
  if (claims_true && (!screen || tmux)) return ColorDepth::kTrueColor;
  if (contains(term, "-direct") || term == "xterm-kitty" || term == "alacritty" || term.starts_with("foot") ||
      term == "xterm-ghostty" || term == "wezterm") {
    return ColorDepth::kTrueColor;
  }
  if (contains(term, "256") || contains(colorterm, "256") || claims_true) return ColorDepth::k256;
  return ColorDepth::k16;
}

bool detect_utf8(const Environment& environment) {
  std::string locale;
  for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (locale = value_of(environment, name); !locale.empty()) break;
  }
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return contains(locale, "utf-8") || contains(locale, "utf8");
}

// xterm's defaults; people restyle these sixteen, so they are only used if there is nothing else.
constexpr std::array<Rgb, 16> kSixteen{{{0, 0, 0},
                                        {205, 0, 0},
                                        {0, 205, 0},
                                        {205, 205, 0},
                                        {0, 0, 238},
                                        {205, 0, 205},
                                        {0, 205, 205},
                                        {229, 229, 229},
                                        {127, 127, 127},
                                        {255, 0, 0},
                                        {0, 255, 0},
                                        {255, 255, 0},
                                        {92, 92, 255},
                                        {255, 0, 255},
                                        {0, 255, 255},
                                        {255, 255, 255}}};

constexpr int kFirstFixed = 16;  // of the 256: a 6×6×6 cube, then 24 grays

constexpr Rgb fixed_color(int index) {
  if (index >= 232) {
    const auto grey = static_cast<std::uint8_t>(8 + 10 * (index - 232));
    return {grey, grey, grey};
  }
  constexpr std::array<std::uint8_t, 6> kSteps{0, 95, 135, 175, 215, 255};
  const auto cube = static_cast<std::size_t>(index - kFirstFixed);
  return {kSteps[cube / 36], kSteps[cube / 6 % 6], kSteps[cube % 6]};
}

// "Redmean": approximates how different two colors look, with integers only.
int distance(Rgb a, Rgb b) {
  const int mean = (a.red + b.red) / 2;
  const int red = a.red - b.red;
  const int green = a.green - b.green;
  const int blue = a.blue - b.blue;
  return (((512 + mean) * red * red) >> 8) + 4 * green * green + (((767 - mean) * blue * blue) >> 8);
}

int nearest_of_256(Rgb color) {
  int best = kFirstFixed;
  for (int i = kFirstFixed; i < 256; ++i) {
    if (distance(color, fixed_color(i)) < distance(color, fixed_color(best))) best = i;
  }
  return best;
}

int chroma(Rgb color) {
  return std::max({color.red, color.green, color.blue}) - std::min({color.red, color.green, color.blue});
}

// Hue first: with sixteen colors, plain distance turns every soft tint into gray, and a warning would lose its yellow.
int nearest_of_16(Rgb color) {
  constexpr int kTinted = 48;
  const bool tinted = chroma(color) >= kTinted;
  Rgb vivid = color;
  if (tinted) {
    const int low = std::min({color.red, color.green, color.blue});
    const int high = std::max({color.red, color.green, color.blue});
    const auto stretch = [&](int channel) { return static_cast<std::uint8_t>((channel - low) * high / (high - low)); };
    vivid = {stretch(color.red), stretch(color.green), stretch(color.blue)};
  }
  int best = -1;
  for (int i = 0; i < 16; ++i) {
    const Rgb candidate = kSixteen[static_cast<std::size_t>(i)];
    if (tinted != (chroma(candidate) > 0)) continue;
    if (best < 0 || distance(vivid, candidate) < distance(vivid, kSixteen[static_cast<std::size_t>(best)])) best = i;
  }
  return best;
}

}  // namespace

std::string_view to_string(ColorDepth depth) {
  switch (depth) {
    case ColorDepth::kMono: return "mono";
    case ColorDepth::k16: return "16 colours";
    case ColorDepth::k256: return "256 colours";
    case ColorDepth::kTrueColor: return "truecolor";
  }
  return "mono";
}

TerminalTraits detect_traits(const Environment& environment) {
  const std::string term = value_of(environment, "TERM");
  return {.depth = detect_depth(environment), .utf8 = detect_utf8(environment), .dumb = term.empty() || term == "dumb"};
}

ftxui::Color color_of(Rgb color, ColorDepth depth) {
  switch (depth) {
    case ColorDepth::kMono: return {};
    case ColorDepth::k16: return {static_cast<ftxui::Color::Palette16>(nearest_of_16(color))};
    case ColorDepth::k256: return {static_cast<ftxui::Color::Palette256>(nearest_of_256(color))};
    case ColorDepth::kTrueColor: break;
  }
  const int near = nearest_of_256(color);
  if (fixed_color(near) == color) return {static_cast<ftxui::Color::Palette256>(near)};
  return {color.red, color.green, color.blue};
}

void keep_ftxui_from_reducing_colors() {
  ftxui::Terminal::SetColorSupport(ftxui::Terminal::Color::TrueColor);
}

}  // namespace gputop::term
