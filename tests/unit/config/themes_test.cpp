#include "gputop/config/themes.hpp"

#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "gputop/config/assets.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

using test::TemporaryDirectory;

double luminance(Rgb color) {
  const auto linear = [](std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

// WCAG: 1 (the same) … 21 (black on white).
double contrast(Rgb a, Rgb b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

TEST_CASE("assets: the themes are in the binary, byte for byte", "[config]") {
  const auto paths = assets_under("themes/");
  CHECK(paths.size() >= 10);
  CHECK(std::is_sorted(paths.begin(), paths.end()));
  const auto text = asset("themes/nord.yaml");
  REQUIRE(text);
  CHECK(text->starts_with("# The palette of Nord"));
  CHECK(text->ends_with("\n"));
  CHECK_FALSE(asset("themes/none.yaml"));
  CHECK(assets_under("nowhere/").empty());
}

TEST_CASE("parse_style: attributes, a colour, a ground", "[config]") {
  Style style;
  CHECK(*parse_style("default") == style);
  style.foreground = Rgb{0x88, 0xc0, 0xd0};
  CHECK(*parse_style("#88c0d0") == style);
  style = {};
  style.background = Rgb{};
  CHECK(*parse_style("default on #000") == style);
  style.foreground = Rgb{255, 255, 255};
  style.background = Rgb{0x22, 0x22, 0x22};
  style.bold = true;
  CHECK(*parse_style("bold #fff on #222") == style);
  style = {};
  style.dim = style.underline = style.inverse = true;
  CHECK(*parse_style("dim  underline inverse") == style);
}

TEST_CASE("parse_style: says what is wrong", "[config]") {
  CHECK(parse_style("blue").error().message == "\"blue\" is not a color (try \"#88c0d0\")");
  for (const auto* text :
       {"", "  ", "#12", "#12345g", "#1234567", "#", "#fff #000", "on", "bold on", "#-12345", "#+fff", "\x1b[31m"}) {
    INFO(text);
    CHECK_FALSE(parse_style(text));
  }
}

TEST_CASE("themes: every built-in one is complete and readable on its ground", "[config]") {
  const Themes themes;
  const auto names = themes.names();
  CHECK(names.size() >= 10);
  CHECK(names.front() == "default");
  for (const auto& name : names) {
    const auto [theme, problems, found] = themes.load(name);
    INFO(name);
    CHECK(found);
    CHECK(problems.empty());
    CHECK(theme.name == name);
    CHECK_FALSE(theme.description.empty());
    const Rgb ground = theme.light ? Rgb{255, 255, 255} : Rgb{30, 30, 30};
    for (std::size_t i = 0; i < theme.styles.size(); ++i) {
      const auto role = static_cast<Role>(i);
      const Style& style = theme[role];
      const bool decoration = role == Role::kBorder || role == Role::kBarEmpty;
      INFO("role " << i);
      if (style.foreground && !decoration) {
        CHECK(contrast(*style.foreground, style.background.value_or(ground)) >= (style.background ? 4.0 : 3.0));
      }
    }
    CHECK(theme[Role::kSelection] != theme[Role::kText]);
    CHECK(theme[Role::kBad] != theme[Role::kGood]);
    CHECK(theme[Role::kBad] != theme[Role::kWarning]);
  }
}

TEST_CASE("themes: the light ones say so, mono has no colours", "[config]") {
  const Themes themes;
  CHECK(themes.load("light").theme.light);
  CHECK(themes.load("solarized-light").theme.light);
  CHECK_FALSE(themes.load("default").theme.light);
  const auto mono = themes.load("mono").theme;
  for (const auto& style : mono.styles) CHECK((!style.foreground && !style.background));
}

TEST_CASE("themes: an unknown name is the default and a suggestion", "[config]") {
  const auto loaded = Themes{}.load("nrod");
  CHECK(loaded.theme.name == "default");
  REQUIRE(loaded.problems.size() == 1);
  CHECK(to_string(loaded.problems[0]) == "theme: no theme is called \"nrod\" (did you mean nord?)");
  CHECK(Themes{}.load("zzzzzzzz").problems.at(0).text.find("gruvbox") != std::string::npos);
}

TEST_CASE("themes: a user's file wins over the built-in one of its name and falls back to the default", "[config]") {
  const TemporaryDirectory directory;
  directory.write("nord.yaml", "good: \"#010203\"\n");
  directory.write("mine.yaml", "name: My own\ninherits: gruvbox\nbad: \"#040506\"\n");
  const Themes themes{directory.path()};
  const auto nord = themes.load("nord");
  CHECK(nord.problems.empty());
  CHECK(nord.theme[Role::kGood].foreground == Rgb{1, 2, 3});
  CHECK(nord.theme[Role::kMemory] == themes.load("default").theme[Role::kMemory]);
  const auto mine = themes.load("mine").theme;
  CHECK(mine.name == "My own");
  CHECK(mine[Role::kBad].foreground == Rgb{4, 5, 6});
  CHECK(mine[Role::kMemory] == themes.load("gruvbox").theme[Role::kMemory]);
  const auto names = themes.names();
  CHECK(std::count(names.begin(), names.end(), "nord") == 1);
  CHECK(std::count(names.begin(), names.end(), "mine") == 1);
}

TEST_CASE("themes: a file by its path", "[config]") {
  const TemporaryDirectory directory;
  const auto file = directory.write("x.yaml", "light: true\ntext: \"#111\"\n");
  const auto loaded = Themes{}.load(file.string());
  CHECK(loaded.problems.empty());
  CHECK(loaded.theme.light);
  CHECK(loaded.theme.name == "x");
  const auto missing = Themes{}.load((std::filesystem::path{directory.path()} / "none.yaml").string());
  CHECK(missing.problems.size() == 1);
  CHECK(missing.theme.name == "default");
}

TEST_CASE("themes: mistakes are named with their line and the base is used", "[config]") {
  const TemporaryDirectory directory;
  const auto file = directory.write(
      "bad.yaml", "text: #88c0d0\ngod: \"#fff\"\nwarning: yellowish\ngood: [a]\nlight: maybe\nkey: \"#abcdef\"\n");
  const auto loaded = Themes{}.load(file.string());
  std::vector<std::string> lines;
  for (const auto& problem : loaded.problems) lines.push_back(to_string(problem).substr(file.string().size()));
  CHECK(lines == std::vector<std::string>{":1: text: has no value (colors need quotes: \"#88c0d0\")",
                                          ":2: unknown key \"god\" (did you mean good?)",
                                          ":3: warning: \"yellowish\" is not a color (try \"#88c0d0\")",
                                          ":4: good: must be one line of text",
                                          ":5: light: is neither true nor false"});
  CHECK(loaded.theme[Role::kKey].foreground == Rgb{0xab, 0xcd, 0xef});
  CHECK(loaded.theme[Role::kGood] == Themes{}.load("default").theme[Role::kGood]);
}

TEST_CASE("themes: inheriting in a circle ends with a problem", "[config]") {
  const TemporaryDirectory directory;
  directory.write("a.yaml", "inherits: b\n");
  directory.write("b.yaml", "inherits: a\n");
  directory.write("default.yaml", "inherits: nowhere\n");
  const Themes themes{directory.path()};
  CHECK_FALSE(themes.load("a").problems.empty());
  CHECK_FALSE(themes.load("default").problems.empty());
}

}  // namespace
}  // namespace gputop
