#include <catch2/catch_test_macros.hpp>

#include <ftxui/screen/screen.hpp>

#include "gputop/term/style_sheet.hpp"
#include "support/frames.hpp"
#include "ui/canvas.hpp"
#include "ui/text.hpp"

using namespace gputop;
using namespace gputop::ui;

namespace {

struct Sheet {
  Canvas canvas;
  explicit Sheet(int width, int height = 1) { canvas.resize(width, height); }
  Painter painter() { return {canvas, {0, 0, canvas.width(), canvas.height()}}; }
  std::string shown(GlyphSet glyphs = GlyphSet::kBraille) {
    ftxui::Screen screen{canvas.width(), canvas.height()};
    canvas.copy_to(screen, term::StyleSheet{Theme{}, term::ColorDepth::kTrueColor}, glyphs);
    return test::text_of(screen);
  }
};

}  // namespace

TEST_CASE("text is cut with a mark when it is too long", "[canvas]") {
  Sheet sheet{8};
  CHECK(sheet.painter().text(0, 0, "abcdefghij", Role::kText, 5) == 5);
  CHECK(sheet.shown() == "abcd…\n");
}

TEST_CASE("text that just fits is whole", "[canvas]") {
  Sheet sheet{5};
  sheet.painter().text(0, 0, "abcde", Role::kText);
  CHECK(sheet.shown() == "abcde\n");
}

TEST_CASE("a wide character is never cut in half", "[canvas]") {
  for (int room = 1; room <= 8; ++room) {
    Sheet sheet{10};
    const int used = sheet.painter().text(0, 0, "学習学習", Role::kText, room);
    CHECK(used <= room);
    int width = 0;
    for (int x = 0; x < 10; ++x) {
      const auto& cell = sheet.canvas.at(x, 0);
      if (cell.glyph == 0) {
        REQUIRE(x > 0);
        CHECK(sheet.canvas.at(x - 1, 0).glyph == glyph(width % 4 == 0 ? "学" : "習"));
        width += 2;
      }
    }
  }
}

TEST_CASE("combining marks stay on their letter, an emoji takes two columns", "[canvas]") {
  Sheet sheet{12};
  CHECK(sheet.painter().text(0, 0, "e\u0301x", Role::kText) == 2);
  CHECK(sheet.shown() == "e\u0301x\n");
  CHECK(sheet.painter().text(0, 0, "🚀!", Role::kText) == 3);
  CHECK(columns_of("🚀!") == 3);
}

TEST_CASE("a letter with a thousand marks is one cell with a few", "[canvas]") {
  Sheet sheet{4};
  std::string text = "e";
  for (int i = 0; i < 1000; ++i) text += "\u0301";
  CHECK(sheet.painter().text(0, 0, text + "x", Role::kText) == 2);
  CHECK(sheet.shown().size() < 40);
}

TEST_CASE("nothing is painted outside the painter", "[canvas]") {
  Sheet sheet{6, 3};
  auto part = sheet.painter().part(2, 1, 2, 1);
  part.text(-3, 0, "xx", Role::kText);
  part.text(0, 5, "xx", Role::kText);
  part.text(0, 0, "abcdef", Role::kText);
  part.put(9, 0, 'y', Role::kText);
  part.select(7);
  CHECK(sheet.shown() == "\n  a…\n\n");
  CHECK(sheet.painter().part(50, 50, 5, 5).area().empty());
}

TEST_CASE("right-aligned text ends where it should", "[canvas]") {
  Sheet sheet{8};
  sheet.painter().right(6, 0, "42", Role::kText);
  CHECK(sheet.shown() == "    42\n");
}

TEST_CASE("without UTF-8 nothing but ASCII is left", "[canvas]") {
  Sheet sheet{20};
  sheet.painter().text(0, 0, "⚠ 71 °C – 学 é ⣿ █ ╭", Role::kText);
  for (const char c : sheet.shown(GlyphSet::kAscii)) CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("a plain console gets no braille, no eighths, no round corners", "[canvas]") {
  Sheet sheet{8};
  sheet.painter().text(0, 0, "╭▏⚠–▇", Role::kText);
  CHECK(sheet.shown(GlyphSet::kBlocks) == "┌▌!-█\n");
}

TEST_CASE("a selected row keeps its text and is told apart without colours", "[canvas]") {
  Sheet sheet{3};
  sheet.painter().text(0, 0, "abc", Role::kText);
  sheet.painter().select(0);
  ftxui::Screen screen{3, 1};
  sheet.canvas.copy_to(screen, term::StyleSheet{Theme{}, term::ColorDepth::kMono}, GlyphSet::kBraille);
  CHECK(screen.PixelAt(1, 0).inverted);
}

TEST_CASE("text wraps at spaces, and long words anywhere", "[text]") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("abcdefgh ij", 3) == std::vector<std::string>{"abc", "def", "gh", "ij"});
  CHECK(wrapped("", 5).empty());
  CHECK(wrapped("x", 0).empty());
}
