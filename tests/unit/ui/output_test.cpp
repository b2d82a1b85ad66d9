// The run on the screen: its output, its keyboard, and the questions before it ends.
#include <catch2/catch_test_macros.hpp>

#include <csignal>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"
#include "gputop/ui/output_lines.hpp"

using namespace gputop;
using namespace gputop::test;
using ui::key_event;
using Effects = std::vector<Effect>;

namespace output_test {
namespace {

Model model_with_run(int seconds = 60) {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  stream.run(1, 0, seconds);
  return stream.model;
}

Model model_with_ended_run() {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  stream.run(1, 0, 30);
  stream.feed(30, RunEnded{1, std::nullopt, "exited with code 1"});
  return stream.model;
}

Theme with_selection() {
  Theme theme;
  theme[Role::kSelection].inverse = true;
  return theme;
}

constexpr const char* kTraining =
    "\x1b[1mEpoch 3\x1b[0m of 50\r\n"
    "\x1b[32mval_loss\x1b[0m 0.37 \u5B66\u7FD2\r\n"
    "Epoch 4:  41%|\u2588\u2588\u2588\u2588\u258F     | 412/1001 [00:31<00:44, 13.2it/s, loss=.41]";

// An interface with a run, on a screen of its own. Not to be moved: the interface borrows the terminal.
class Desk {
 public:
  explicit Desk(Model model,
                const std::string& output = kTraining,
                int width = 120,
                int height = 40,
                bool readonly = false)
      : model_(std::move(model)),
        interface_(Settings{},
                   with_selection(),
                   term::ColorDepth::kTrueColor,
                   ui::GlyphSet::kBraille,
                   {.uid = 1000, .readonly = readonly}),
        screen_(width, height) {
    terminal_.feed(output);
    interface_.set_output(&terminal_);
    draw();
    fit();
  }
  Desk(const Desk&) = delete;
  Effects press(std::string_view key) { return handle(key_event(key)); }
  Effects handle(const ftxui::Event& event) {
    auto effects = interface_.handle(event, model_);
    draw();
    return effects;
  }
  void type(std::string_view text) {
    for (const char c : text) handle(ftxui::Event::Character(c));
  }
  bool shows(const std::string& text) const { return text_of(screen_).find(text) != std::string::npos; }
  bool draw() { return interface_.render(model_, screen_); }
  // As the program does: the run's terminal gets the pane's size.
  void fit() {
    const auto size = interface_.output_size().value();
    terminal_.resize(size.columns, size.rows);
    draw();
  }
  // Of the first cell that shows this text.
  const ftxui::Pixel* pixel_at(const std::string& text) {
    for (int y = 0; y < screen_.dimy(); ++y) {
      for (int x = 0; x < screen_.dimx(); ++x) {
        std::string line;
        for (int i = x; i < screen_.dimx() && line.size() < text.size(); ++i) line += screen_.PixelAt(i, y).character;
        if (line == text) return &screen_.PixelAt(x, y);
      }
    }
    return nullptr;
  }

  Model model_;
  term::Emulator terminal_{{.columns = 80, .rows = 24}};
  ui::Interface interface_;
  ftxui::Screen screen_;
};

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\r\n";
  return text;
}

}  // namespace

TEST_CASE("golden: a run and its output", "[golden]") {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}, std::pair{40, 12}}) {
    Desk desk{model_with_run(), kTraining, width, height};
    check_golden("run_" + std::to_string(width) + "x" + std::to_string(height), text_of(desk.screen_));
  }
}

TEST_CASE("golden: a run that has ended", "[golden]") {
  Desk desk{model_with_ended_run(), "Traceback (most recent call last):\r\nValueError: no data", 80, 24};
  check_golden("run_ended_80x24", text_of(desk.screen_));
}

TEST_CASE("golden: detach or stop?", "[golden]") {
  Desk desk{model_with_run(), kTraining, 80, 24};
  desk.press("q");
  check_golden("run_quit_80x24", text_of(desk.screen_));
}

TEST_CASE("output: larger than the processes, and beside the GPUs at every size that is first-class", "[output]") {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}}) {
    Desk desk{model_with_run(), kTraining, width, height};
    CHECK(desk.shows("412/1001"));
    CHECK(desk.shows("BUSY"));
    CHECK(desk.interface_.output_size()->rows >= 10);
  }
}

TEST_CASE("output: no run, no pane; a hidden pane has no size", "[output]") {
  Desk desk{model_with_run()};
  desk.press("6");
  CHECK_FALSE(desk.interface_.output_size());
  CHECK_FALSE(desk.shows("412/1001"));
  desk.press("6");
  CHECK(desk.interface_.output_size());
  desk.interface_.set_output(nullptr);
  desk.model_.run.reset();
  desk.draw();
  CHECK_FALSE(desk.interface_.output_size());
  CHECK(desk.press("q") == Effects{Quit{}});
}

TEST_CASE("output: new bytes are a new frame, no bytes are none", "[output]") {
  Desk desk{model_with_run()};
  CHECK_FALSE(desk.draw());
  desk.terminal_.feed("\r\nmore");
  CHECK(desk.draw());
  CHECK(desk.shows("more"));
}

TEST_CASE("output: the job's colours reach the screen as cells", "[output]") {
  Desk desk{model_with_run(), "\x1b[32mgreen\x1b[38;2;1;2;3mrgb\x1b[m plain"};
  CHECK(desk.pixel_at("green")->foreground_color == ftxui::Color{ftxui::Color::Green});
  CHECK(desk.pixel_at("rgb")->foreground_color == ftxui::Color::RGB(1, 2, 3));
  CHECK(desk.pixel_at("plain")->foreground_color == ftxui::Color{ftxui::Color::Default});
}

TEST_CASE("output: scrolled back it stays where it is while the job goes on; End returns", "[output]") {
  Desk desk{model_with_run(), numbered_lines(500)};
  CHECK(desk.shows("line 499"));
  desk.press("PageUp");
  CHECK_FALSE(desk.shows("line 499"));
  CHECK(desk.shows("lines below"));
  const auto before = text_of(desk.screen_);
  desk.terminal_.feed("line 500\r\n");
  desk.draw();
  CHECK(desk.shows("line 485"));
  CHECK_FALSE(desk.shows("line 500"));
  desk.press("Home");
  CHECK(desk.shows("line 0"));
  desk.press("End");
  CHECK(desk.shows("line 500"));
  desk.terminal_.feed("line 501\r\n");
  desk.draw();
  CHECK(desk.shows("line 501"));
}

TEST_CASE("output: / finds the newest match, n and N go on, matches are highlighted", "[output]") {
  Desk desk{model_with_run(), numbered_lines(500)};
  desk.press("/");
  desk.type("LINE 7");
  desk.press("Enter");
  CHECK(desk.shows("not in the output: LINE 7"));
  desk.press("/");
  desk.type("line 12");
  desk.press("Enter");
  CHECK(desk.shows("line 129"));
  CHECK(desk.pixel_at("line 129")->inverted);
  CHECK_FALSE(desk.pixel_at("line 130")->inverted);
  desk.press("N");
  desk.press("N");
  CHECK(desk.shows("line 127"));
  for (int i = 0; i < 8; ++i) desk.press("N");
  CHECK(desk.shows("line 12 "));
  desk.press("n");
  CHECK(desk.shows("line 120"));
}

TEST_CASE("output: e goes to the first error, then to the next", "[output]") {
  Desk desk{model_with_run(), numbered_lines(100) + "Traceback (most recent call last):\r\n" + numbered_lines(200) +
                                  "torch.OutOfMemoryError: CUDA out of memory.\r\n" + numbered_lines(200)};
  desk.press("e");
  CHECK(desk.shows("Traceback"));
  desk.press("e");
  CHECK(desk.shows("OutOfMemoryError"));
  desk.press("e");
  CHECK(desk.shows("Traceback"));
  Desk fine{model_with_run()};
  fine.press("e");
  CHECK(fine.shows("no line of the output looks like an error"));
}

TEST_CASE("output: what looks like an error, and what does not", "[output]") {
  for (const auto* line : {"Traceback (most recent call last):", "ValueError: bad", "[rank0]: RuntimeError: x",
                           "torch.cuda.OutOfMemoryError: CUDA out of memory.", "CUDA error: device-side assert",
                           "Segmentation fault (core dumped)", "my.module.CustomException: no"}) {
    INFO(line);
    CHECK(ui::looks_like_error(line));
  }
  for (const auto* line : {"mean error: 0.1", "Epoch 3", "relative_Error_rate: 3", "0 errors", ""}) {
    INFO(line);
    CHECK_FALSE(ui::looks_like_error(line));
  }
}

TEST_CASE("output: marked lines are copied as text", "[output]") {
  Desk desk{model_with_run(), numbered_lines(100) + "last"};
  desk.press("v");
  desk.press("Up");
  desk.press("Up");
  CHECK(desk.press("y") == Effects{CopyText{"line 98\nline 99\nlast\n"}});
  desk.press("v");
  desk.press("Esc");
  const auto effects = desk.press("y");
  REQUIRE(effects.size() == 1);
  CHECK(std::get<CopyText>(effects[0]).text.ends_with("line 99\nlast\n"));
}

TEST_CASE("typing: every key goes to the run as its bytes", "[output]") {
  Desk desk{model_with_run()};
  CHECK(desk.press("i").empty());
  CHECK(desk.shows("typing"));
  CHECK(desk.press("q") == Effects{TypeIntoRun{"q"}});
  CHECK(desk.press("Enter") == Effects{TypeIntoRun{"\r"}});
  CHECK(desk.press("Tab") == Effects{TypeIntoRun{"\t"}});
  CHECK(desk.press("Up") == Effects{TypeIntoRun{"\x1b[A"}});
  CHECK(desk.handle(ftxui::Event::Special("\x04")) == Effects{TypeIntoRun{"\x04"}});
  CHECK(desk.handle(ftxui::Event::Backspace) == Effects{TypeIntoRun{"\x7f"}});
  CHECK(desk.handle(ftxui::Event::Character("\u00E9")) == Effects{TypeIntoRun{"\u00E9"}});
  CHECK(desk.interface_.paste("pasted") == Effects{TypeIntoRun{"pasted"}});
}

TEST_CASE("typing: pasted lines stay lines, and bring no other control", "[output]") {
  Desk desk{model_with_run()};
  desk.press("i");
  CHECK(desk.interface_.paste("first\rsecond\tline\nthird\r\n\n") ==
        Effects{TypeIntoRun{"first\rsecond\tline\rthird\r\r"}});
  CHECK(desk.interface_.paste("q\x03rm -rf\n\x1b[A\x7f\x1a \u00E9") == Effects{TypeIntoRun{"qrm -rf\r[A \u00E9"}});
  desk.press("Ctrl-]");
  desk.press("/");
  desk.interface_.paste("Epoch\x1b[A\n");
  desk.draw();
  CHECK(desk.shows("find: Epoch\u00B7[A"));
}

TEST_CASE("typing: Esc Esc and Ctrl-] leave; one Esc is for the run", "[output]") {
  Desk desk{model_with_run()};
  desk.press("i");
  CHECK(desk.press("Esc") == Effects{TypeIntoRun{"\x1b"}});
  CHECK(desk.press("a") == Effects{TypeIntoRun{"a"}});
  CHECK(desk.press("Esc") == Effects{TypeIntoRun{"\x1b"}});
  CHECK(desk.press("Esc").empty());
  CHECK_FALSE(desk.shows("typing"));
  desk.press("i");
  CHECK(desk.press("Ctrl-]").empty());
  CHECK(desk.press("a").empty());
  CHECK(desk.interface_.paste("pasted").empty());
}

TEST_CASE("typing: Ctrl-C asks, Ctrl-Z and Ctrl-\\ are not sent", "[output]") {
  Desk desk{model_with_run()};
  desk.press("i");
  CHECK(desk.press("Ctrl-C").empty());
  CHECK(desk.shows("Interrupt the run"));
  CHECK(desk.press("y") == Effects{InterruptRun{}});
  CHECK(desk.press("a") == Effects{TypeIntoRun{"a"}});
  CHECK(desk.handle(ftxui::Event::Special("\x1a")).empty());
  CHECK(desk.handle(ftxui::Event::Special("\x1c")).empty());
}

TEST_CASE("typing ends with the run", "[output]") {
  Desk desk{model_with_run()};
  desk.press("i");
  desk.model_ = model_with_ended_run();
  CHECK(desk.press("a").empty());
  CHECK_FALSE(desk.shows("typing"));
  CHECK(desk.press("i").empty());
  CHECK(desk.shows("the run has ended"));
}

TEST_CASE("the way out asks while the run lives: detach, stop, stay", "[output]") {
  Desk desk{model_with_run()};
  for (const auto* key : {"q", "F10"}) {
    CHECK(desk.press(key).empty());
    CHECK(desk.shows("Detach or stop?"));
    CHECK(desk.press("Esc").empty());
    CHECK_FALSE(desk.shows("Detach or stop?"));
  }
  desk.press("q");
  CHECK(desk.press("d") == Effects{Detach{}});
  desk.press("q");
  CHECK(desk.press("Enter") == Effects{Detach{}});
  desk.press("q");
  CHECK(desk.press("k").empty());  // not before it was asked to stop
  CHECK(desk.shows("Detach or stop?"));
  CHECK(desk.press("s") == Effects{StopRun{SIGTERM}});
  desk.press("q");
  CHECK(desk.shows("SIGKILL"));
  CHECK(desk.press("k") == Effects{StopRun{SIGKILL}});
  CHECK(desk.press("D") == Effects{Detach{}});
}

TEST_CASE("Ctrl-C asks before it reaches the run, and nothing else does", "[output]") {
  Desk desk{model_with_run()};
  desk.press("Ctrl-C");
  CHECK(desk.shows("Interrupt the run"));
  CHECK(desk.press("n").empty());
  desk.press("Ctrl-C");
  CHECK(desk.press("y") == Effects{InterruptRun{}});
  desk.press("q");
  desk.model_ = model_with_ended_run();
  CHECK(desk.press("s").empty());  // it ended while the question stood there
}

TEST_CASE("under --readonly nothing reaches the run, and q just leaves it", "[output]") {
  Desk desk{model_with_run(), kTraining, 120, 40, true};
  CHECK_FALSE(desk.shows("i type"));
  for (const auto* key : {"i", "Ctrl-C"}) {
    CHECK(desk.press(key).empty());
    CHECK(desk.shows("nothing is sent to the run: gputop runs with --readonly"));
    CHECK(desk.press("y") != Effects{InterruptRun{}});
    CHECK(desk.interface_.paste("pasted").empty());
  }
  for (const auto* key : {"q", "F10", "D"}) {
    CHECK(desk.press(key) == Effects{Detach{}});
    for (const auto* answer : {"s", "k", "Esc"}) CHECK(desk.press(answer).empty());
  }
  desk.model_ = model_with_ended_run();
  CHECK(desk.press("q") == Effects{Quit{}});
  CHECK(desk.press("Ctrl-C") == Effects{Quit{}});
}

TEST_CASE("a run that has ended is left without a question", "[output]") {
  Desk desk{model_with_ended_run()};
  CHECK(desk.shows("exited with code 1"));
  CHECK(desk.press("D").empty());
  CHECK(desk.press("q") == Effects{Quit{}});
  CHECK(desk.press("Ctrl-C") == Effects{Quit{}});
}

TEST_CASE("output: a terminal of another size than its pane still shows where something happens", "[output]") {
  Desk desk{model_with_run(), numbered_lines(10)};
  desk.terminal_.resize(80, 200);
  desk.terminal_.feed("the newest");
  desk.draw();
  CHECK(desk.shows("the newest"));
  desk.terminal_.resize(10, 2);
  desk.draw();
  CHECK(desk.shows("line 9"));
}

}  // namespace output_test
