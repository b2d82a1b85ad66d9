// What keys and clicks do, seen on the screen and in the effects.
#include <catch2/catch_test_macros.hpp>

#include <csignal>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;
using ui::key_event;

namespace interface_test {
namespace {

// An interface on a screen of its own; keys go in by name.
class Desk {
 public:
  explicit Desk(Model model, ui::Identity identity = {.uid = 1000}, Settings settings = {})
      : model_(std::move(model)),
        interface_(std::move(settings), Theme{}, term::ColorDepth::kTrueColor, ui::GlyphSet::kBraille, identity) {
    interface_.set_themes({"default", "night"});
    draw();
  }
  std::vector<Effect> press(std::string_view key) {
    auto effects = interface_.handle(key_event(key), model_);
    draw();
    return effects;
  }
  void type(std::string_view text) {
    for (const char c : text) interface_.handle(ftxui::Event::Character(c), model_);
    draw();
  }
  std::vector<Effect> mouse(ftxui::Mouse::Button button, ftxui::Mouse::Motion motion, int x, int y) {
    ftxui::Mouse mouse;
    mouse.button = button;
    mouse.motion = motion;
    mouse.x = x;
    mouse.y = y;
    auto effects = interface_.handle(ftxui::Event::Mouse("", mouse), model_);
    draw();
    return effects;
  }
  std::vector<Effect> click(int x, int y) { return mouse(ftxui::Mouse::Left, ftxui::Mouse::Pressed, x, y); }
  // Where a text stands on the screen.
  std::pair<int, int> find(const std::string& text) const {
    for (int y = 0; y < screen_.dimy(); ++y) {
      std::string line;
      std::vector<int> columns;
      for (int x = 0; x < screen_.dimx(); ++x) {
        columns.resize(line.size(), x);
        columns.push_back(x);
        line += screen_.PixelAt(x, y).character;
      }
      columns.resize(line.size() + 1, screen_.dimx());
      if (const auto at = line.find(text); at != std::string::npos) return {columns[at], y};
    }
    return {-1, -1};
  }
  bool shows(const std::string& text) const { return find(text).second >= 0; }
  void draw() { interface_.render(model_, screen_); }

  Model model_;
  ui::Interface interface_;
  ftxui::Screen screen_{120, 40};
};

}  // namespace

TEST_CASE("q, F10 and Ctrl-C leave", "[interface]") {
  Desk desk{working_model(1, 5)};
  for (const auto* key : {"q", "F10", "Ctrl-C"}) CHECK(desk.press(key) == std::vector<Effect>{Quit{}});
}

TEST_CASE("nothing changed, nothing to send", "[interface]") {
  Desk desk{working_model(2, 5)};
  CHECK_FALSE(desk.interface_.render(desk.model_, desk.screen_));
  ++desk.model_.revision;  // an event that shows nowhere
  CHECK_FALSE(desk.interface_.render(desk.model_, desk.screen_));
  ftxui::Screen other{60, 20};
  CHECK(desk.interface_.render(desk.model_, other));
}

TEST_CASE("a signal needs the menu, a choice and a yes", "[interface]") {
  Desk desk{working_model(1, 5)};
  CHECK(desk.press("F9").empty());
  CHECK(desk.shows("SIGTERM"));
  CHECK(desk.press("Enter").empty());
  CHECK(desk.shows("Send SIGTERM to process 1000? (y/n)"));
  const auto effects = desk.press("y");
  REQUIRE(effects.size() == 1);
  const auto started = test_wall() - std::chrono::minutes{0};
  CHECK(effects[0] == Effect{SendSignal{1000, started, SIGTERM}});
  CHECK_FALSE(desk.shows("Send SIGTERM"));
}

TEST_CASE("anything but y sends nothing", "[interface]") {
  for (const auto* key : {"n", "Enter", "Esc", "q", "x"}) {
    Desk desk{working_model(1, 5)};
    desk.press("K");
    desk.press("Down");
    desk.press("Enter");
    CHECK(desk.press(key).empty());
  }
}

TEST_CASE("the signal goes to the process that was selected when the menu opened", "[interface]") {
  Desk desk{working_model(2, 5)};
  desk.press("F9");
  const bool first = desk.shows("Signal to 1001");
  REQUIRE(first);
  for (auto& row : desk.model_.processes) row.gpu_memory = row.pid == 1000 ? Reading<Bytes>{20_GiB} : Reading<Bytes>{};
  ++desk.model_.revision;
  desk.draw();
  desk.press("Enter");
  const auto effects = desk.press("y");
  REQUIRE(effects.size() == 1);
  CHECK(std::get<SendSignal>(effects[0]).pid == 1001);
}

TEST_CASE("only what we may do is offered", "[interface]") {
  Desk readonly{working_model(1, 5), {.uid = 1000, .root = false, .readonly = true}};
  readonly.press("F9");
  CHECK_FALSE(readonly.shows("SIGTERM"));
  CHECK(readonly.shows("--readonly"));

  Desk stranger{working_model(1, 5), {.uid = 5}};
  stranger.press("F9");
  CHECK(stranger.shows("belongs to ada"));

  Desk root{working_model(1, 5), {.uid = 0, .root = true}};
  root.press("F9");
  CHECK(root.shows("SIGTERM"));

  Desk gone{working_model(1, 5)};
  for (auto& row : gone.model_.processes) row.host.reset();
  ++gone.model_.revision;
  gone.draw();
  gone.press("F9");
  CHECK(gone.shows("is not visible from here"));

  Desk empty{Stream{}.model};
  empty.press("F9");
  CHECK(empty.shows("no process is selected"));
}

TEST_CASE("other users' processes are dimmed", "[interface]") {
  Desk desk{working_model(4, 5)};
  const auto [x, y] = desk.find("bob");
  REQUIRE(y > 0);
  CHECK(desk.screen_.PixelAt(x, y).dim);
  const auto [mine_x, mine_y] = desk.find("ada");
  REQUIRE(mine_y > 0);
  CHECK_FALSE(desk.screen_.PixelAt(mine_x, mine_y).dim);
}

TEST_CASE("the filter takes effect while it is typed; Enter keeps it, Esc drops it", "[interface]") {
  Desk desk{working_model(4, 5)};
  desk.press("/");
  desk.type("rank 2");
  CHECK(desk.shows("filter: rank 2"));
  CHECK_FALSE(desk.shows("--rank 1"));
  desk.press("Enter");
  CHECK(desk.shows("1 of 6"));
  desk.press("Esc");
  CHECK(desk.shows("--rank 1"));
  desk.press("/");
  desk.type("zzz");
  CHECK(desk.shows("no process matches the filter"));
  desk.press("Esc");
  CHECK(desk.shows("--rank 1"));
}

TEST_CASE("an invalid filter is said, and q is a letter while typing", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("/");
  CHECK(desk.press("q").empty());
  desk.interface_.handle(ftxui::Event::Backspace, desk.model_);
  desk.type("(");
  CHECK(desk.shows("( without its )"));
  desk.press("Enter");
  CHECK(desk.shows("python train.py"));
  CHECK(desk.press("q") == std::vector<Effect>{Quit{}});
}

TEST_CASE("pasted text goes into the filter and nowhere else", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.interface_.paste("q");
  desk.draw();
  desk.press("/");
  desk.interface_.paste("train\x1b[2J");
  desk.draw();
  CHECK(desk.shows("filter: train·[2J"));
}

TEST_CASE("F6 sorts by the chosen column, I reverses, the head is clicked", "[interface]") {
  Desk desk{working_model(4, 5)};
  desk.press("F6");
  CHECK(desk.shows("Sort by"));
  desk.press("Home");
  desk.press("Enter");
  CHECK(desk.shows("PID↑"));
  CHECK(desk.interface_.settings().process_sort == "pid");
  desk.press("I");
  CHECK(desk.shows("PID↓"));
  const auto [x, y] = desk.find("CPU %");
  desk.click(x, y);
  CHECK(desk.shows("CPU %↓"));
  desk.click(x, y);
  CHECK(desk.shows("CPU %↑"));
}

TEST_CASE("the tree indents children", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("t");
  CHECK(desk.shows("└ python train.py (pt_data_worker)"));
  CHECK(desk.interface_.settings().process_tree);
}

TEST_CASE("a followed process stays selected while the order changes", "[interface]") {
  Desk desk{working_model(4, 5)};
  desk.press("F");
  CHECK(desk.shows("following 1003"));
  desk.press("I");
  const auto [x, y] = desk.find("1003 bob");
  REQUIRE(y > 0);
  desk.press("F9");
  CHECK(desk.shows("belongs to bob"));
}

TEST_CASE("numbers hide and show panes, Tab walks through what is left", "[interface]") {
  Desk desk{working_model(1, 5)};
  CHECK(desk.shows("2 Charts"));
  desk.press("2");
  CHECK_FALSE(desk.shows("2 Charts"));
  CHECK(desk.interface_.settings().hidden_panes == std::vector<std::string>{"charts"});
  desk.press("2");
  CHECK(desk.shows("2 Charts"));
  desk.press("9");
  for (int i = 0; i < 9; ++i) desk.press("Tab");
  for (const auto* key : {"1", "2", "3", "4", "5"}) desk.press(key);
  CHECK_FALSE(desk.shows("Processes"));
  desk.press("Tab");
  desk.press("z");
}

TEST_CASE("zoom fills the screen with one pane and back", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("z");
  CHECK_FALSE(desk.shows("2 Charts"));
  CHECK(desk.shows("4 Processes"));
  desk.press("Tab");
  CHECK_FALSE(desk.shows("4 Processes"));
  desk.press("Esc");
  CHECK(desk.shows("2 Charts"));
}

TEST_CASE("charts zoom, pan, change metric and GPU, and read out values under the cursor", "[interface]") {
  Desk desk{working_model(2, 300)};
  CHECK(desk.shows("last 5 min"));
  desk.press("]");
  CHECK(desk.shows("last 2 min"));
  desk.press("[");
  desk.press("[");
  CHECK(desk.shows("last 10 min"));
  desk.press("g");
  CHECK(desk.shows("busy of each GPU"));
  desk.press("g");
  CHECK(desk.shows("Charts · GPU 0"));
  desk.press("a");
  CHECK_FALSE(desk.shows("Charts · GPU 0"));
  desk.press("Left");
  CHECK(desk.shows("at 00:0"));
  desk.press("Esc");
  CHECK_FALSE(desk.shows("at 00:0"));
  for (int i = 0; i < 5; ++i) desk.press("c");
  CHECK(desk.shows("PCIe "));
}

TEST_CASE("the chart's cursor is dragged with the mouse", "[interface]") {
  Desk desk{working_model(1, 300)};
  const auto [x, y] = desk.find("busy ");
  desk.click(x + 10, y + 3);
  CHECK(desk.shows("at 00:0"));
  const auto before = text_of(desk.screen_);
  desk.mouse(ftxui::Mouse::Left, ftxui::Mouse::Moved, x + 2, y + 3);
  CHECK(text_of(desk.screen_) != before);
  desk.mouse(ftxui::Mouse::Left, ftxui::Mouse::Released, x + 2, y + 3);
  const auto after = text_of(desk.screen_);
  desk.mouse(ftxui::Mouse::None, ftxui::Mouse::Moved, x + 9, y + 3);
  CHECK(text_of(desk.screen_) == after);
}

TEST_CASE("the mouse focuses, selects, scrolls and presses the keys of the last line", "[interface]") {
  Desk desk{working_model(40, 5)};
  const auto [x, y] = desk.find("--rank 37");
  REQUIRE(y > 0);
  desk.click(x, y);
  desk.press("F");
  CHECK(desk.shows("following 1037"));
  desk.press("F");
  for (int i = 0; i < 20; ++i) desk.mouse(ftxui::Mouse::WheelDown, ftxui::Mouse::Pressed, x, y);
  CHECK_FALSE(desk.shows("--rank 39"));
  const auto [key_x, key_y] = desk.find("q quit");
  REQUIRE(key_y == 39);
  CHECK(desk.click(key_x, key_y) == std::vector<Effect>{Quit{}});
}

TEST_CASE("help lists every key of the table", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("?");
  std::string seen;
  for (int i = 0; i < 80; ++i) {
    seen += text_of(desk.screen_);
    desk.press("Down");
    desk.press("Down");
  }
  for (const auto& entry : ui::key_entries()) {
    INFO(entry.keys);
    CHECK(seen.find(std::string{ui::key_names(entry).front()}) != std::string::npos);
    CHECK(seen.find(std::string{entry.help.substr(0, 20)}) != std::string::npos);
  }
  desk.press("Esc");
  CHECK(desk.shows("2 Charts"));
}

TEST_CASE("setup changes at once and saves when it is left", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("F2");
  CHECK(desk.shows("Theme"));
  CHECK(desk.press("Right") == std::vector<Effect>{SelectTheme{"night"}});
  desk.press("Down");
  CHECK(desk.press("Right") == std::vector<Effect>{SetInterval{std::chrono::milliseconds{2000}}});
  desk.press("Down");
  desk.press("Right");
  CHECK(desk.press("Esc") == std::vector<Effect>{SaveSettings{}});
  CHECK(desk.interface_.settings().interval == std::chrono::milliseconds{2000});
  CHECK(desk.shows("°F"));
  desk.press("F2");
  CHECK(desk.press("Esc").empty());  // nothing changed
}

TEST_CASE("setup shows what the configuration got wrong", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.interface_.set_problems({"config.yaml:3: interval: \"fast\" is not a duration", "config.yaml:9: unknown key"});
  desk.draw();
  CHECK(desk.shows("config.yaml:3"));
  CHECK(desk.shows("1 more"));
  desk.press("Down");
  CHECK_FALSE(desk.shows("config.yaml:3"));
  desk.press("F2");
  CHECK(desk.shows("config.yaml:9"));
}

TEST_CASE("T changes the theme, and a new theme is drawn though no cell holds anything new", "[interface]") {
  Desk desk{working_model(1, 5)};
  CHECK(desk.press("T") == std::vector<Effect>{SelectTheme{"night"}});
  Theme theme;
  theme.name = "night";
  theme[Role::kText].foreground = Rgb{1, 2, 3};
  desk.interface_.set_theme(theme);
  CHECK(desk.interface_.render(desk.model_, desk.screen_));
  const auto [x, y] = desk.find("python train");
  CHECK(desk.screen_.PixelAt(x, y).foreground_color == term::color_of({1, 2, 3}, term::ColorDepth::kTrueColor));
}

TEST_CASE("Space freezes what is shown", "[interface]") {
  Desk desk{working_model(1, 5)};
  desk.press("Space");
  CHECK(desk.shows("PAUSED"));
  const auto before = text_of(desk.screen_);
  update(desk.model_, Event{at_seconds(9), GpusSampled{healthy_gpus(1, 3)}});
  desk.draw();
  CHECK(text_of(desk.screen_) == before);
  desk.press("Space");
  CHECK(text_of(desk.screen_) != before);
}

TEST_CASE("what people wrote cannot move the cursor", "[interface]") {
  Stream stream;
  auto gpus = healthy_gpus(1);
  gpus[0].name = "evil\x1b[2J\u202Ename";
  stream.feed(1, GpusSampled{gpus});
  stream.feed(1, ProcessesSampled{{process(1000, 1, "a\x1b]0;x\x07", "rm \x1b[31m\r\n\x9b")}});
  stream.feed(1, Noted{Noted::Severity::kError, "log\x1b[H"});
  Desk desk{std::move(stream.model)};
  for (int y = 0; y < desk.screen_.dimy(); ++y) {
    for (int x = 0; x < desk.screen_.dimx(); ++x) {
      for (const char c : desk.screen_.PixelAt(x, y).character) CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
  }
}

}  // namespace interface_test
