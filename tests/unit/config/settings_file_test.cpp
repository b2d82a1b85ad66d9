#include "gputop/config/settings_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

using std::chrono::milliseconds;
using test::TemporaryDirectory;

std::vector<std::string> complaints_of_settings(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto& problem : parse_settings(text, "config.yaml").problems) lines.push_back(to_string(problem));
  return lines;
}

constexpr std::string_view kDressed =
    "# my settings\n"
    "theme:   'nord'   # the blue one\n"
    "interval: 500ms\n"
    "\n"
    "hidden_panes:      # not these\n"
    "  - host   # noisy\n"
    "  - \"events\"\n"
    "process_tree: off\n"
    "# the end\n";

TEST_CASE("parse_settings: reads every key", "[config]") {
  const auto loaded = parse_settings(
      "theme: nord\ninterval: 250ms\ntemperature_unit: fahrenheit\nhidden_panes: [host, events]\n"
      "process_columns:\n  - pid\n  - user\nprocess_sort: cpu\nprocess_sort_descending: false\nprocess_tree: "
      "yes\nmouse: off\nscrollback: 10000\n",
      "config.yaml");
  CHECK(loaded.problems.empty());
  const Settings expected{.theme = "nord",
                          .interval = milliseconds{250},
                          .temperature_unit = TemperatureUnit::kFahrenheit,
                          .hidden_panes = {"host", "events"},
                          .process_columns = {"pid", "user"},
                          .process_sort = "cpu",
                          .process_sort_descending = false,
                          .process_tree = true,
                          .mouse = false,
                          .scrollback = 10000};
  CHECK(loaded.settings == expected);
}

TEST_CASE("parse_settings: a scrollback that is no number of lines, or too small or large, is said and not used",
          "[config]") {
  CHECK(to_string(parse_settings("mouse: on\nscrollback: lots\n", "config.yaml").problems.at(0)) ==
        "config.yaml:2: scrollback: \"lots\" is not a number of lines from 100 to 100000 (try 3000)");
  for (const auto* wrong :
       {"99", "100001", "-3", "3000 lines", "3e3", "0x100", "[3000]", "''", "99999999999999999999"}) {
    const auto loaded = parse_settings("scrollback: " + std::string{wrong} + "\n", "config.yaml");
    CAPTURE(wrong);
    CHECK(loaded.problems.size() == 1);
    CHECK(loaded.settings.scrollback == 3000);
  }
}

TEST_CASE("parse_settings: an empty file, or one of comments, is the defaults", "[config]") {
  for (const auto* text : {"", "\n", "# nothing\n", "---\n", "\xEF\xBB\xBF"}) {
    const auto loaded = parse_settings(text, "config.yaml");
    CHECK(loaded.problems.empty());
    CHECK(loaded.settings == Settings{});
  }
}

TEST_CASE("parse_settings: a wrong value is named with its line and the default is used", "[config]") {
  const auto loaded = parse_settings("theme: nord\n\ninterval: fast\nmouse: perhaps\n", "config.yaml");
  REQUIRE(loaded.problems.size() == 2);
  CHECK(to_string(loaded.problems[0]) == "config.yaml:3: interval: \"fast\" is not a duration (try 500ms)");
  CHECK(to_string(loaded.problems[1]) == "config.yaml:4: mouse: \"perhaps\" is neither true nor false");
  CHECK(loaded.settings.theme == "nord");
  CHECK(loaded.settings.interval == Settings{}.interval);
  CHECK(loaded.settings.mouse);
}

TEST_CASE("parse_settings: an unknown key gets a suggestion", "[config]") {
  CHECK(complaints_of_settings("intervall: 1s\n") ==
        std::vector<std::string>{"config.yaml:1: unknown key \"intervall\" (did you mean interval?)"});
  CHECK(complaints_of_settings("colour_of_the_sky: blue\n") ==
        std::vector<std::string>{"config.yaml:1: unknown key \"colour_of_the_sky\""});
}

TEST_CASE("parse_settings: a value of the wrong shape is a problem, not a crash", "[config]") {
  for (const auto* text :
       {"interval: [1, 2]\n", "interval: {a: b}\n", "interval:\n", "theme: [a]\n", "theme:\n", "theme: ''\n",
        "hidden_panes: host\n", "hidden_panes: [[a]]\n", "hidden_panes: {a: b}\n", "mouse: 3\n", "mouse: [true]\n",
        "temperature_unit: kelvin\n", "interval: 10ms\n", "interval: 2\n", "process_sort: {}\n", "[a]: b\n",
        "? {a: b}\n: c\n", "theme: nord\ntheme: light\n"}) {
    INFO(text);
    CHECK(complaints_of_settings(text).size() == 1);
  }
}

TEST_CASE("parse_settings: hostile files are refused in bounded time", "[config]") {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 8; ++k) bomb += "," + last;
    bomb += "]\n";
  }
  std::string stairs;
  for (std::size_t depth = 0; depth < 600; ++depth) stairs += std::string(depth, ' ') + "k:\n";
  std::string dashes;
  for (int i = 0; i < 50'000; ++i) dashes += "- ";
  const std::vector<std::string> texts{
      std::string(100'000, '['),
      std::string(100'000, '{'),
      dashes,
      stairs,
      bomb,
      std::string(1 << 20, 'a'),
      std::string("theme: \0nord\n", 13),
      "\tindented: by a tab\n",
      "a: b: c\n",
      "- just\n- a list\n",
      "plain words\n",
      "theme: !!binary aGVsbG8=\ninterval: *nowhere\n",
      "\x89PNG\r\n\x1a\n\x01\x02",
      "&a a: *a\n",
      "%YAML 9.9\n---\nx: 1\n",
      "theme: |\n  a\n b\n",
      std::string(5000, 'k') + ": 1\n",
  };
  for (const auto& text : texts) {
    INFO(text.substr(0, 40));
    const auto loaded = parse_settings(text, "config.yaml");
    CHECK_FALSE(loaded.problems.empty());
    CHECK(loaded.settings.interval == Settings{}.interval);
    for (const auto& problem : loaded.problems) {
      const std::string line = to_string(problem);
      CHECK(line.size() < 400);
      CHECK(line.find('\x1b') == std::string::npos);
    }
  }
}

TEST_CASE("edit_settings: nothing to change is the same text", "[config]") {
  const auto settings = parse_settings(kDressed, "config.yaml").settings;
  CHECK(*edit_settings(kDressed, settings) == kDressed);
}

TEST_CASE("edit_settings: only the changed values' bytes change", "[config]") {
  auto settings = parse_settings(kDressed, "config.yaml").settings;
  settings.theme = "gruvbox";
  settings.interval = milliseconds{2000};
  settings.process_tree = true;
  CHECK(*edit_settings(kDressed, settings) ==
        "# my settings\n"
        "theme:   gruvbox   # the blue one\n"
        "interval: 2s\n"
        "\n"
        "hidden_panes:      # not these\n"
        "  - host   # noisy\n"
        "  - \"events\"\n"
        "process_tree: true\n"
        "# the end\n");
}

TEST_CASE("edit_settings: a list in any form is replaced, keys not there are appended", "[config]") {
  auto settings = parse_settings(kDressed, "config.yaml").settings;
  settings.hidden_panes = {"charts"};
  settings.mouse = false;
  const auto edited = *edit_settings(kDressed, settings);
  CHECK(edited ==
        "# my settings\n"
        "theme:   'nord'   # the blue one\n"
        "interval: 500ms\n"
        "\n"
        "hidden_panes:      # not these\n"
        "  [charts]\n"
        "process_tree: off\n"
        "# the end\n"
        "mouse: false\n");
  CHECK(*edit_settings("hidden_panes: [a, 'b]', c]  # x", Settings{}) == "hidden_panes: []  # x");
  settings = {};
  settings.interval = milliseconds{300};
  CHECK(*edit_settings("interval:\nmouse: true\n", settings) == "interval: 300ms\nmouse: true\n");
}

TEST_CASE("edit_settings: survives byte order marks, CRLF, non-ASCII and a missing last newline", "[config]") {
  Settings settings;
  settings.theme = "light";
  CHECK(*edit_settings("\xEF\xBB\xBF# größe\ntheme: nord", settings) == "\xEF\xBB\xBF# größe\ntheme: light");
  CHECK(*edit_settings("# 字\r\ntheme: nord\r\nmouse: true\r\n", settings) ==
        "# 字\r\ntheme: light\r\nmouse: true\r\n");
  CHECK(*edit_settings("mouse: true", settings) == "mouse: true\ntheme: light\n");
  settings.theme = "my \"odd\" name: #1";
  const auto edited = *edit_settings("theme: nord\n", settings);
  CHECK(parse_settings(edited, "c").settings == settings);
}

TEST_CASE("edit_settings: every set of settings written reads back, from scratch and over another", "[config]") {
  Settings settings;
  settings.theme = "mono";
  settings.interval = milliseconds{1500};
  settings.hidden_panes = {"a b", "c"};
  settings.mouse = false;
  settings.temperature_unit = TemperatureUnit::kFahrenheit;
  const auto fresh = *edit_settings("", settings);
  CHECK(parse_settings(fresh, "c").settings == settings);
  CHECK(parse_settings(fresh, "c").problems.empty());
  CHECK(fresh.find("# Time between readings") != std::string::npos);
  const auto back = *edit_settings(fresh, Settings{});
  CHECK(parse_settings(back, "c").settings == Settings{});
}

TEST_CASE("edit_settings: a form it cannot edit is refused, not spoilt", "[config]") {
  Settings settings;
  settings.theme = "light";
  settings.mouse = false;
  CHECK_FALSE(edit_settings("{theme: nord}\n", settings));
  CHECK_FALSE(edit_settings("theme: nord\n...\n", settings));
  CHECK_FALSE(edit_settings("theme: [unclosed\n", settings));
}

TEST_CASE("load_settings: no file is no problem, an unreadable one is", "[config]") {
  const TemporaryDirectory directory;
  CHECK(load_settings(std::filesystem::path{directory.path()} / "config.yaml").problems.empty());
  CHECK(load_settings({}).problems.empty());
  const auto wrong = load_settings(directory.path());
  REQUIRE(wrong.problems.size() == 1);
  CHECK(wrong.settings == Settings{});
  const auto file = directory.write("config.yaml", "mouse: maybe\n");
  CHECK(to_string(load_settings(file).problems.at(0)) == "config.yaml:1: mouse: \"maybe\" is neither true nor false");
}

TEST_CASE("save_settings: makes the directory and a commented file, then edits it", "[config]") {
  const TemporaryDirectory directory;
  const auto path = std::filesystem::path{directory.path()} / "deep" / "gputop" / "config.yaml";
  Settings settings;
  settings.theme = "nord";
  REQUIRE(save_settings(path, settings));
  CHECK(load_settings(path).settings == settings);
  directory.write("deep/gputop/config.yaml", "# mine\ntheme: light\n");
  ::chmod(path.c_str(), 0600);
  REQUIRE(save_settings(path, settings));
  CHECK(TemporaryDirectory::read(path) == "# mine\ntheme: nord\n");
  struct stat about {};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777U) == 0600U);
  CHECK(std::distance(std::filesystem::directory_iterator{path.parent_path()}, {}) == 1);
}

TEST_CASE("save_settings: a symbolic link stays one and its target is written", "[config]") {
  const TemporaryDirectory directory;
  const auto real = directory.write("dotfiles/gputop.yaml", "theme: light # x\n");
  std::filesystem::create_directories(std::filesystem::path{directory.path()} / "config");
  const auto link = std::filesystem::path{directory.path()} / "config" / "config.yaml";
  std::filesystem::create_symlink("../dotfiles/gputop.yaml", link);
  Settings settings;
  settings.theme = "nord";
  REQUIRE(save_settings(link, settings));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(TemporaryDirectory::read(real) == "theme: nord # x\n");

  const auto dangling = std::filesystem::path{directory.path()} / "config" / "other.yaml";
  std::filesystem::create_symlink("new/made.yaml", dangling);
  REQUIRE(save_settings(dangling, settings));
  CHECK(load_settings(std::filesystem::path{directory.path()} / "config" / "new" / "made.yaml").settings == settings);
  std::filesystem::create_symlink("loop", std::filesystem::path{directory.path()} / "loop");
  CHECK_FALSE(save_settings(std::filesystem::path{directory.path()} / "loop", settings));
}

TEST_CASE("save_settings: says why it could not", "[config]") {
  const TemporaryDirectory directory;
  CHECK_FALSE(save_settings({}, Settings{}));
  CHECK_FALSE(save_settings(directory.path(), Settings{}));
  const auto blocked = save_settings(directory.write("file", "x") / "config.yaml", Settings{});
  REQUIRE_FALSE(blocked);
  CHECK(blocked.error().message.find("file") != std::string::npos);
  if (::geteuid() == 0) return;  // root may write anywhere
  const auto file = directory.write("locked/config.yaml", "theme: light\n");
  ::chmod(file.c_str(), 0444);
  Settings settings;
  settings.theme = "nord";
  CHECK(save_settings(file, settings).error().kind == Error::Kind::kPermission);
}

TEST_CASE("settings_path: follows XDG", "[config]") {
  const auto with = [](std::map<std::string, std::string, std::less<>> variables) -> Environment {
    return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      if (found == variables.end()) return std::nullopt;
      return found->second;
    };
  };
  CHECK(settings_path(with({{"XDG_CONFIG_HOME", "/x"}, {"HOME", "/h"}})) == "/x/gputop/config.yaml");
  CHECK(settings_path(with({{"HOME", "/h"}})) == "/h/.config/gputop/config.yaml");
  CHECK(settings_path(with({{"XDG_CONFIG_HOME", "relative"}, {"HOME", "/h"}})) == "/h/.config/gputop/config.yaml");
  CHECK(settings_path(with({})).empty());
}

}  // namespace
}  // namespace gputop
