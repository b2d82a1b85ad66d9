#include "gputop/term/diff_writer.hpp"

#include <catch2/catch_test_macros.hpp>

#include "unit/term/random_frames.hpp"
#include "unit/term/terminal_model.hpp"

namespace gputop::term {
namespace {

using test::ModelCell;
using test::RandomFrames;
using test::TerminalModel;

bool is_wide(const std::string& glyph) {
  return glyph == "字" || glyph == "語" || glyph == "한" || glyph == "👍";
}

ModelCell expected_look(const ftxui::Pixel& pixel) {
  ModelCell cell;
  cell.foreground = pixel.foreground_color.Print(false);
  cell.background = pixel.background_color.Print(true);
  cell.attributes = {
      {1, pixel.bold},  {2, pixel.dim},      {3, pixel.italic},       {4, pixel.underlined || pixel.underlined_double},
      {5, pixel.blink}, {7, pixel.inverted}, {9, pixel.strikethrough}};
  return cell;
}

// Where the terminal differs from the screen; "" when it shows just that.
std::string mismatch(const TerminalModel& terminal, const ftxui::Screen& screen) {
  for (int y = 0; y < screen.dimy(); ++y) {
    for (int x = 0; x < screen.dimx(); ++x) {
      const auto& pixel = screen.PixelAt(x, y);
      ModelCell want = expected_look(pixel);
      const bool whole =
          is_wide(pixel.character) && x + 1 < screen.dimx() && screen.PixelAt(x + 1, y).character.empty();
      const bool shown = !pixel.character.empty() && static_cast<unsigned char>(pixel.character[0]) >= 0x20;
      if (shown && (!is_wide(pixel.character) || whole)) want.glyph = pixel.character;
      // A combining mark is left out where the terminal could not place it.
      if (want.glyph == "e\xCC\x81" && x + 1 == screen.dimx()) want.glyph = "e";
      const auto complain = [&](const ModelCell& is) {
        return "at " + std::to_string(x) + "," + std::to_string(y) + ": " + is.seen() + " instead of " + want.seen();
      };
      if (terminal.at(x, y).seen() != want.seen()) return complain(terminal.at(x, y));
      if (!whole) continue;
      ++x;
      want.glyph.clear();
      if (terminal.at(x, y).seen() != want.seen()) return complain(terminal.at(x, y));
    }
  }
  return {};
}

Frame frame(ftxui::Screen screen) {
  return {std::move(screen), std::nullopt};
}

ftxui::Screen with_text(int width, int height, int x, int y, std::string_view text) {
  ftxui::Screen screen{width, height};
  for (const char c : text) screen.PixelAt(x++, y).character = std::string(1, c);
  return screen;
}

TEST_CASE("difference: thousands of random changes reach the target frame on a strict terminal", "[term]") {
  RandomFrames random{7};
  for (int round = 0; round < 4000; ++round) {
    const int width = 1 + random.below(round % 10 == 0 ? 60 : 14);
    const int height = 1 + random.below(5);
    TerminalModel terminal{width, height, static_cast<unsigned>(round)};
    Frame shown = frame(random.screen(width, height));
    terminal.write(difference(nullptr, shown));
    REQUIRE(mismatch(terminal, shown.cells) == "");
    for (int step = 0; step < 3; ++step) {
      Frame next = shown;
      if (step == 2 && random.below(3) == 0)
        next.cells = random.screen(width, height);
      else
        random.change(next.cells);
      terminal.lose_cursor();
      const std::string bytes = difference(&shown, next);
      INFO("round " << round << ", " << width << "×" << height);
      REQUIRE_NOTHROW(terminal.write(bytes));
      REQUIRE(mismatch(terminal, next.cells) == "");
      REQUIRE(terminal.pen_is_default());
      REQUIRE_FALSE(terminal.synchronised());
      shown = std::move(next);
    }
  }
}

// Stamps the rows of a frame as whoever painted it would: only the 64ths of a row in which a cell is another.
void stamp(const Frame& before, Frame& after, RowChanges::Stamp stamp) {
  after.rows = before.rows;
  after.rows.resize(static_cast<std::size_t>(after.cells.dimy()));
  const int width = after.cells.dimx();
  for (int y = 0; y < after.cells.dimy(); ++y) {
    ColumnSet where = 0;
    for (int x = 0; x < width; ++x) {
      const auto& a = before.cells.PixelAt(x, y);
      const auto& b = after.cells.PixelAt(x, y);
      auto look = expected_look(a);
      auto other = expected_look(b);
      look.glyph = other.glyph = "x";  // so that ink shows it
      const bool same = a.character == b.character && look.seen() == other.seen();
      if (!same) where |= ColumnSet{1} << (x / columns_per_bit(width));
    }
    if (where != 0) after.rows[static_cast<std::size_t>(y)].add(stamp, where);
  }
}

TEST_CASE("difference: what the painter knows about the rows makes no difference on the terminal", "[term]") {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    RandomFrames random{seed};
    const int width = seed % 2 == 0 ? 150 : 70;
    Frame known = frame(random.screen(width, 8));
    Frame first = frame(ftxui::Screen{width, 8});
    stamp(first, known, 1);
    TerminalModel terminal{width, 8, seed};
    terminal.write(difference(nullptr, known));
    RowChanges::Stamp count = 1;
    for (int i = 0; i < 300; ++i) {
      Frame shown = known;
      // Up to three frames that the terminal never saw.
      for (int skipped = random.below(3); skipped >= 0; --skipped) {
        Frame next = frame(known.cells);
        random.change(next.cells);
        stamp(known, next, ++count);
        known = std::move(next);
      }
      terminal.lose_cursor();
      REQUIRE_NOTHROW(terminal.write(difference(&shown, known)));
      REQUIRE(mismatch(terminal, known.cells) == "");
    }
  }
}

TEST_CASE("difference: equal frames cost nothing", "[term]") {
  RandomFrames random{11};
  for (int round = 0; round < 200; ++round) {
    const Frame shown = frame(random.screen(1 + random.below(40), 1 + random.below(8)));
    const Frame same = shown;
    CHECK(difference(&shown, same).empty());
  }
}

TEST_CASE("difference: what the eye cannot see is not sent", "[term]") {
  const Frame shown = frame(ftxui::Screen{4, 1});
  Frame next = shown;
  next.cells.PixelAt(1, 0).character = " ";
  next.cells.PixelAt(1, 0).foreground_color = ftxui::Color::Red;
  next.cells.PixelAt(2, 0).bold = true;
  next.cells.PixelAt(3, 0).automerge = true;
  CHECK(difference(&shown, next).empty());
}

TEST_CASE("difference: another size is painted anew", "[term]") {
  const Frame shown = frame(with_text(10, 2, 0, 0, "hello"));
  const Frame next = frame(with_text(8, 2, 0, 0, "hello"));
  TerminalModel terminal{8, 2};
  terminal.write(difference(&shown, next));
  CHECK(mismatch(terminal, next.cells) == "");
}

TEST_CASE("difference: a frame without cells is nothing", "[term]") {
  const Frame empty = frame(ftxui::Screen{0, 0});
  CHECK(difference(nullptr, empty).empty());
}

TEST_CASE("difference: one changed digit costs a move and the digit", "[term]") {
  const Frame shown = frame(with_text(40, 10, 20, 5, "61 %"));
  const Frame next = frame(with_text(40, 10, 20, 5, "62 %"));
  CHECK(difference(&shown, next) == "\x1b[6;22H2");
}

TEST_CASE("difference: a short unchanged gap is printed, a long one is jumped", "[term]") {
  const Frame shown = frame(with_text(40, 1, 0, 0, "1a2bbbbbbbbbbbb3"));
  const Frame next = frame(with_text(40, 1, 0, 0, "4a5bbbbbbbbbbbb6"));
  CHECK(difference(&shown, next) == "\x1b[H4a5\x1b[16G6");
}

TEST_CASE("difference: a column of numbers is reached by line feed and backspaces", "[term]") {
  Frame shown = frame(ftxui::Screen{40, 3});
  Frame next = shown;
  for (int y = 0; y < 3; ++y) {
    next.cells.PixelAt(20, y).character = "4";
    next.cells.PixelAt(21, y).character = "2";
  }
  CHECK(difference(&shown, next) == "\x1b[;21H42\n\b\b42\n\b\b42");
}

TEST_CASE("difference: the rest of a row that became blank is erased", "[term]") {
  const Frame shown = frame(with_text(40, 1, 3, 0, "something long was here"));
  const Frame next = frame(with_text(40, 1, 3, 0, "some"));
  CHECK(difference(&shown, next) == "\x1b[;8H\x1b[K");
}

TEST_CASE("difference: a chart that moved on is shifted by the terminal", "[term]") {
  const int width = 100;
  Frame shown = frame(ftxui::Screen{width, 1});
  Frame next = shown;
  const auto dots = [](int column) { return std::string{"\xE2\xA0"} + static_cast<char>(0x80 + column * 7 % 61); };
  for (int x = 10; x < 90; ++x) {
    shown.cells.PixelAt(x, 0).character = dots(x);
    next.cells.PixelAt(x, 0).character = dots(x + 2);
  }
  shown.cells.PixelAt(99, 0).character = next.cells.PixelAt(99, 0).character = "│";
  const std::string bytes = difference(&shown, next);
  CHECK(bytes.size() < 40);
  TerminalModel terminal{width, 1};
  terminal.write(difference(nullptr, shown));
  terminal.write(bytes);
  CHECK(mismatch(terminal, next.cells) == "");
}

TEST_CASE("difference: only what differs between two styles is said", "[term]") {
  Frame shown = frame(ftxui::Screen{10, 1});
  Frame next = shown;
  for (int x = 0; x < 4; ++x) {
    auto& pixel = next.cells.PixelAt(x, 0);
    pixel.character = "x";
    pixel.foreground_color = ftxui::Color::Red;
    pixel.bold = x == 1;
    pixel.underlined = x == 3;
  }
  CHECK(difference(&shown, next) == "\x1b[H\x1b[31mx\x1b[1mx\x1b[22mx\x1b[4mx\x1b[m");
}

TEST_CASE("difference: the cursor is shown, moved and hidden", "[term]") {
  const Frame hidden = frame(ftxui::Screen{20, 4});
  Frame shown = hidden;
  shown.cursor = CursorPlace{3, 2};
  Frame moved = hidden;
  moved.cursor = CursorPlace{4, 2};
  TerminalModel terminal{20, 4};
  terminal.write(difference(nullptr, hidden));
  CHECK_FALSE(terminal.cursor_visible());
  terminal.write(difference(&hidden, shown));
  CHECK(terminal.cursor_visible());
  CHECK(terminal.x() == 3);
  CHECK(terminal.y() == 2);
  CHECK(difference(&shown, shown).empty());
  terminal.write(difference(&shown, moved));
  CHECK(terminal.x() == 4);
  Frame edited = moved;
  edited.cells.PixelAt(0, 0).character = "x";
  terminal.write(difference(&moved, edited));
  CHECK(terminal.x() == 4);
  CHECK(terminal.y() == 2);
  terminal.write(difference(&edited, hidden));
  CHECK_FALSE(terminal.cursor_visible());
}

TEST_CASE("difference: long frames are shown at once, short ones save the markers", "[term]") {
  const Frame blank = frame(ftxui::Screen{200, 50});
  Frame full = blank;
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 200; ++x) full.cells.PixelAt(x, y).character = "x";
  }
  CHECK(difference(&blank, full).starts_with("\x1b[?2026h"));
  CHECK(difference(&blank, full).ends_with("\x1b[?2026l"));
  Frame few = blank;
  few.cells.PixelAt(0, 0).character = "x";
  CHECK(difference(&blank, few) == "\x1b[Hx");
}

TEST_CASE("difference: the last cell of the screen is written without scrolling", "[term]") {
  const Frame blank = frame(ftxui::Screen{5, 2});
  Frame full = blank;
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 5; ++x) full.cells.PixelAt(x, y).character = "#";
  }
  TerminalModel terminal{5, 2};
  REQUIRE_NOTHROW(terminal.write(difference(nullptr, full)));
  CHECK(mismatch(terminal, full.cells) == "");
}

}  // namespace
}  // namespace gputop::term
