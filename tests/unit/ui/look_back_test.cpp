// Output that is older than the lines at hand: asked for, shown, left again.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;
using ui::key_event;
using What = LookBack::What;

namespace look_back_test {
namespace {

std::string lines(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += "line " + std::to_string(i) + "\r\n";
  return text;
}

// A run whose terminal holds lines 1000 to 1300 of those it printed. Not to be moved.
class Desk {
 public:
  explicit Desk(bool recorded = true) {
    Stream stream;
    stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
    stream.run(1, 0, 5);
    model_ = stream.model;
    terminal_.feed(lines(0, 1300));
    interface_.set_output(&terminal_);
    interface_.set_recorded(recorded);
    draw();
  }
  Desk(const Desk&) = delete;

  // What it asks for.
  std::optional<LookBack> press(std::string_view key) { return handle(key_event(key)); }
  std::optional<LookBack> find(std::string_view text) {
    press("/");
    for (const char c : text) handle(ftxui::Event::Character(c));
    return press("Enter");
  }
  // Lines 20 to 60, of which 30 to 50 were looked through.
  void answer(std::uint64_t request, std::optional<std::uint64_t> found) {
    auto past = std::make_unique<ui::PastOutput>(
        ui::PastOutput{.terminal = term::Emulator{{.columns = 60, .rows = 10}}, .found = found});
    past->terminal.feed(lines(20, 60));
    past->from_line = 10;
    past->to_line = 30;
    past->begin = 300;
    past->end = 500;
    past->shown_begin = 200;
    past->shown_end = 600;
    past->frame = 77;
    past->at = Instant{} + std::chrono::hours{2};
    interface_.answer({request, std::move(past), ""});
    draw();
  }
  void answer_nothing(std::uint64_t request, const std::string& problem = "") {
    interface_.answer({request, nullptr, problem});
    draw();
  }
  [[nodiscard]] bool shows(const std::string& text) const { return text_of(screen_).find(text) != std::string::npos; }

  ui::Interface interface_{Settings{}, Theme{}, term::ColorDepth::kTrueColor, ui::GlyphSet::kBraille, {.uid = 1000}};

 private:
  std::optional<LookBack> handle(const ftxui::Event& event) {
    const auto effects = interface_.handle(event, model_);
    draw();
    if (effects.empty()) return std::nullopt;
    const auto* asked = std::get_if<LookBack>(&effects.back());
    return asked ? std::optional{*asked} : std::nullopt;
  }
  void draw() { interface_.render(model_, screen_); }

  Model model_;
  term::Emulator terminal_{{.columns = 60, .rows = 10, .scrollback = 290}};
  ftxui::Screen screen_{120, 40};
};

}  // namespace

TEST_CASE("look back: text that is not at hand is asked for, shown with its time, and End returns", "[output]") {
  Desk desk;
  const auto asked = desk.find("line 41");
  REQUIRE(asked);
  CHECK(asked->what == What::kText);
  CHECK(asked->text == "line 41");
  CHECK(asked->older);
  CHECK_FALSE(asked->from);
  CHECK(desk.shows("searching the recording"));
  desk.interface_.looked_back(asked->request, 37);
  desk.answer(asked->request, 21);
  CHECK(desk.shows("line 41"));
  CHECK(desk.shows("recorded 02:00:00 into the run"));
  CHECK_FALSE(desk.shows("searching"));
  desk.press("End");
  CHECK(desk.shows("line 1299"));
  CHECK_FALSE(desk.shows("recorded"));
}

TEST_CASE("look back: text at hand is found at once", "[output]") {
  Desk desk;
  CHECK_FALSE(desk.find("line 1210"));
  CHECK(desk.shows("line 1210"));
}

TEST_CASE("look back: n and N go through what was found, then on in the recording", "[output]") {
  Desk desk;
  desk.answer(desk.find("line 4")->request, 21);  // of 40 … 49
  CHECK_FALSE(desk.press("N"));
  const auto older = desk.press("N");
  REQUIRE(older);
  CHECK(older->older);
  CHECK(older->from == 300);
  CHECK(older->frame == 77);
  desk.answer_nothing(older->request);
  CHECK(desk.shows("there is no other"));
  CHECK(desk.shows("line 40"));
  for (int i = 0; i < 9; ++i) CHECK_FALSE(desk.press("n"));
  const auto newer = desk.press("n");
  REQUIRE(newer);
  CHECK_FALSE(newer->older);
  CHECK(newer->from == 500);
}

TEST_CASE("look back: when the recording has no more, the search goes on with what is at hand", "[output]") {
  Desk desk;
  desk.answer(desk.find("line 4")->request, 21);
  desk.press("Esc");
  CHECK(desk.shows("line 1299"));
  desk.find("line 12");
  CHECK(desk.shows("line 1299"));
  CHECK_FALSE(desk.press("N"));
  Desk other;
  const auto newer = [&] {
    other.answer(other.find("line 30")->request, 10);
    return other.press("n");
  }();
  REQUIRE(newer);
  other.answer_nothing(newer->request);
  CHECK(other.shows("there is no other"));
}

TEST_CASE("look back: the first error may be older than what is at hand", "[output]") {
  Desk desk;
  const auto asked = desk.press("e");
  REQUIRE(asked);
  CHECK(asked->what == What::kError);
  CHECK_FALSE(asked->older);
  CHECK(asked->from == 0);
  desk.answer_nothing(asked->request);
  CHECK(desk.shows("no line of the output looks like an error"));
}

TEST_CASE("look back: scrolling goes on in the recording, and comes back", "[output]") {
  Desk desk;
  std::optional<LookBack> asked;
  for (int i = 0; i < 40 && !asked; ++i) asked = desk.press("PageUp");
  REQUIRE(asked);
  CHECK(asked->what == What::kPage);
  CHECK_FALSE(desk.press("PageUp"));  // one at a time
  desk.answer(asked->request, std::nullopt);
  CHECK(desk.shows("line 49"));
  asked.reset();
  for (int i = 0; i < 10 && !asked; ++i) asked = desk.press("PageDown");
  REQUIRE(asked);
  CHECK(asked->from == 600);
  desk.answer_nothing(asked->request);
  CHECK(desk.shows("line 1001"));
  asked = desk.press("Home");
  REQUIRE(asked);
  CHECK(asked->from == 0);
}

TEST_CASE("look back: Esc stops the search, and its answer is not shown any more", "[output]") {
  Desk desk;
  const auto asked = desk.find("line 41");
  const auto stopped = desk.press("Esc");
  REQUIRE(stopped);
  CHECK(stopped->what == What::kNothing);
  CHECK(desk.shows("the search was stopped"));
  desk.answer(asked->request, 21);
  CHECK_FALSE(desk.shows("line 41"));
}

TEST_CASE("look back: without a recording nothing is asked for, and a problem is said", "[output]") {
  Desk bare{false};
  CHECK_FALSE(bare.find("line 41"));
  CHECK(bare.shows("not in the output: line 41"));
  Desk desk;
  desk.answer_nothing(desk.find("line 41")->request, "r.gputop: No such file or directory");
  CHECK(desk.shows("No such file or directory"));
}

}  // namespace look_back_test
