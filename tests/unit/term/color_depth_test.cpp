#include "gputop/term/color_depth.hpp"

#include <map>

#include <catch2/catch_test_macros.hpp>

#include "gputop/term/style_sheet.hpp"

namespace gputop::term {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

TerminalTraits traits(Variables variables) {
  return detect_traits([&](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

std::string code(Rgb color, ColorDepth depth) {
  keep_ftxui_from_reducing_colors();
  return color_of(color, depth).Print(false);
}

TEST_CASE("detect_traits: colours by TERM and COLORTERM", "[term]") {
  CHECK(traits({{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}}).depth == ColorDepth::kTrueColor);
  CHECK(traits({{"TERM", "xterm-direct"}}).depth == ColorDepth::kTrueColor);
  CHECK(traits({{"TERM", "xterm-256color"}}).depth == ColorDepth::k256);
  CHECK(traits({{"TERM", "tmux-256color"}}).depth == ColorDepth::k256);
  CHECK(traits({{"TERM", "xterm"}}).depth == ColorDepth::k16);
  CHECK(traits({{"TERM", "screen"}}).depth == ColorDepth::k16);
  CHECK(traits({{"TERM", "linux"}, {"COLORTERM", "truecolor"}}).depth == ColorDepth::k16);
  CHECK(traits({{"TERM", "vt100"}}).depth == ColorDepth::kMono);
}

TEST_CASE("detect_traits: inside screen a terminal's truecolor does not hold, inside tmux it does", "[term]") {
  CHECK(traits({{"TERM", "screen-256color"}, {"COLORTERM", "truecolor"}}).depth == ColorDepth::k256);
  CHECK(traits({{"TERM", "screen-256color"}, {"COLORTERM", "truecolor"}, {"TMUX", "/tmp/t,1,0"}}).depth ==
        ColorDepth::kTrueColor);
}

TEST_CASE("detect_traits: NO_COLOR wins unless it is empty", "[term]") {
  CHECK(traits({{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}, {"NO_COLOR", "1"}}).depth == ColorDepth::kMono);
  CHECK(traits({{"TERM", "xterm-256color"}, {"NO_COLOR", ""}}).depth == ColorDepth::k256);
}

TEST_CASE("detect_traits: a dumb terminal cannot be drawn on", "[term]") {
  CHECK(traits({{"TERM", "dumb"}}).dumb);
  CHECK(traits({}).dumb);
  CHECK_FALSE(traits({{"TERM", "xterm"}}).dumb);
}

TEST_CASE("detect_traits: UTF-8 by the first locale variable that is set", "[term]") {
  CHECK(traits({{"LANG", "de_DE.UTF-8"}}).utf8);
  CHECK(traits({{"LC_CTYPE", "C.utf8"}, {"LANG", "C"}}).utf8);
  CHECK_FALSE(traits({{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}}).utf8);
  CHECK(traits({{"LC_ALL", ""}, {"LANG", "en_US.UTF-8"}}).utf8);
  CHECK_FALSE(traits({{"LANG", "de_DE.ISO-8859-1"}}).utf8);
  CHECK_FALSE(traits({}).utf8);
}

TEST_CASE("color_of: truecolor stays exact, and short where the palette has it", "[term]") {
  CHECK(code({0x88, 0xc0, 0xd0}, ColorDepth::kTrueColor) == "38;2;136;192;208");
  CHECK(code({0x5f, 0xaf, 0xff}, ColorDepth::kTrueColor) == "38;5;75");
}

TEST_CASE("color_of: the nearest of 256 and of 16", "[term]") {
  CHECK(code({0x5e, 0xae, 0xfe}, ColorDepth::k256) == "38;5;75");
  CHECK(code({128, 128, 128}, ColorDepth::k256) == "38;5;244");
  CHECK(code({255, 95, 95}, ColorDepth::k16) == "91");
  CHECK(code({0, 0, 0}, ColorDepth::k16) == "30");
  CHECK(code({255, 255, 255}, ColorDepth::k16) == "97");
  CHECK(code({110, 110, 110}, ColorDepth::k16) == "90");
  CHECK(code({0xeb, 0xcb, 0x8b}, ColorDepth::k16) == "33");  // Nord's soft yellow is still a yellow
  CHECK(code({0xa3, 0xbe, 0x8c}, ColorDepth::k16) == "32");  // … and its green a green
}

TEST_CASE("color_of: mono has the terminal's own colour only", "[term]") {
  CHECK(code({255, 0, 0}, ColorDepth::kMono) == "39");
}

TEST_CASE("StyleSheet: a look per role at the terminal's depth", "[term]") {
  keep_ftxui_from_reducing_colors();
  Theme theme;
  theme[Role::kGood].foreground = Rgb{0, 255, 0};
  theme[Role::kGood].bold = true;
  theme[Role::kSelection].foreground = Rgb{250, 250, 250};
  theme[Role::kSelection].background = Rgb{255, 255, 255};
  const StyleSheet sheet{theme, ColorDepth::k16};
  CHECK(sheet[Role::kGood].foreground.Print(false) == "92");
  CHECK(sheet[Role::kGood].bold);
  CHECK(sheet[Role::kText].foreground == ftxui::Color{});
  // Both would be white: inverse keeps the text readable.
  CHECK(sheet[Role::kSelection].inverse);
}

TEST_CASE("StyleSheet: without colours what matters stands out by weight", "[term]") {
  Theme theme;
  theme[Role::kBad].foreground = Rgb{255, 0, 0};
  const StyleSheet sheet{theme, ColorDepth::kMono};
  CHECK(sheet[Role::kBad].inverse);
  CHECK(sheet[Role::kBad].foreground == ftxui::Color{});
  CHECK(sheet[Role::kSelection].inverse);
  CHECK(sheet[Role::kWarning].bold);
  CHECK(sheet[Role::kMuted].dim);
}

TEST_CASE("StyleSheet: a decorator styles its child, and an inner one wins", "[term]") {
  keep_ftxui_from_reducing_colors();
  Theme theme;
  theme[Role::kGood].foreground = Rgb{0, 255, 0};
  theme[Role::kBad].foreground = Rgb{255, 0, 0};
  const StyleSheet sheet{theme, ColorDepth::kTrueColor};
  auto element =
      ftxui::hbox({ftxui::text("a"), ftxui::text("b") | sheet.decorator(Role::kBad)}) | sheet.decorator(Role::kGood);
  ftxui::Screen screen{3, 1};
  ftxui::Render(screen, element);
  CHECK(screen.PixelAt(0, 0).foreground_color == color_of({0, 255, 0}, ColorDepth::kTrueColor));
  CHECK(screen.PixelAt(1, 0).foreground_color == color_of({255, 0, 0}, ColorDepth::kTrueColor));
  CHECK(screen.PixelAt(1, 0).character == "b");
}

}  // namespace
}  // namespace gputop::term
