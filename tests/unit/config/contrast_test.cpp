// Every theme can be read on its background: WCAG's 4.5 for text, 3 for bars and lines.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <string>

#include "gputop/config/assets.hpp"
#include "gputop/config/themes.hpp"

using namespace gputop;

namespace {

double linear(std::uint8_t channel) {
  const double share = channel / 255.0;
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

double luminance(const Rgb& color) {
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(const Rgb& a, const Rgb& b) {
  const double one = luminance(a) + 0.05;
  const double other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

// What a theme is shown on: the background of the scheme it is named after, else what terminals commonly have.
Rgb background_of(const std::string& name, const Theme& theme) {
  static const std::map<std::string, Rgb> kOwn{{"nord", {0x2e, 0x34, 0x40}},           {"dracula", {0x28, 0x2a, 0x36}},
                                               {"gruvbox", {0x28, 0x28, 0x28}},        {"solarized-dark", {0x00, 0x2b, 0x36}},
                                               {"solarized-light", {0xfd, 0xf6, 0xe3}}};
  const auto own = kOwn.find(name);
  if (own != kOwn.end()) return own->second;
  return theme.light ? Rgb{0xff, 0xff, 0xff} : Rgb{0x1e, 0x1e, 0x1e};
}

// Drawn, not read: bars and charts.
bool is_drawn(Role role) {
  return role == Role::kUtilization || role == Role::kMemory || role == Role::kPower || role == Role::kTemperature ||
         role == Role::kPcie || role == Role::kThroughput;
}
// Lines around what is read, and the empty part of a bar: nothing is told by them.
bool is_decoration(Role role) {
  return role == Role::kBorder || role == Role::kBorderFocused || role == Role::kBarEmpty;
}

}  // namespace

TEST_CASE("themes: every text has a contrast of 4.5 and every bar of 3 on its background", "[config]") {
  for (const auto& name : Themes{{}}.names()) {
    const auto theme = Themes{{}}.load(name).theme;
    for (std::size_t i = 0; i < theme.styles.size(); ++i) {
      const auto role = static_cast<Role>(i);
      const auto& style = theme.styles[i];
      if (!style.foreground || is_decoration(role)) continue;
      const auto back = style.background.value_or(background_of(name, theme));
      INFO(name << ", role " << i << ": " << contrast(*style.foreground, back));
      CHECK(contrast(*style.foreground, back) >= (is_drawn(role) ? 3 : 4.5));
    }
  }
}
