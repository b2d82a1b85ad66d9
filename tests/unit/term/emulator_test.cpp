// What a job writes, and what stands on its screen and above it then.
#include <catch2/catch_test_macros.hpp>

#include "emulator_support.hpp"

using namespace gputop;
using namespace gputop::test;
using term::Emulator;
using term::OutputColor;

TEST_CASE("emulator: text, carriage return, tab, backspace", "[emulator]") {
  CHECK(shown("one\r\ntwo") == "one\ntwo");
  CHECK(shown("12345\rab") == "ab345");
  CHECK(shown("a\tb") == "a       b");
  CHECK(shown("abc\b\bX") == "aXc");
  CHECK(shown("a\nb") == "a\n b");
}

TEST_CASE("emulator: output of a pipe returns at every newline", "[emulator]") {
  Emulator terminal{{.columns = 10, .rows = 3, .newline_returns = true}};
  terminal.feed("a\nb");
  CHECK(screen_of(terminal) == "a\nb");
}

TEST_CASE("emulator: a long line goes on in the next row", "[emulator]") {
  CHECK(shown("0123456789ab") == "0123456789\nab");
  CHECK(shown("0123456789\r\nab") == "0123456789\nab");
  CHECK(shown("\x1b[?7l0123456789ab") == "012345678b");
}

TEST_CASE("emulator: the cursor moves, lines are erased, inserted and deleted", "[emulator]") {
  CHECK(shown("abc\x1b[2;3Hx\x1b[1;1Hy") == "ybc\n  x");
  CHECK(shown("abc\r\ndef\x1b[A\x1b[2K\rz") == "z\ndef");
  CHECK(shown("abcdef\x1b[3D\x1b[K") == "abc");
  CHECK(shown("a\r\nb\r\nc\x1b[2J\x1b[Hd") == "d");
  CHECK(shown("a\r\nb\x1b[1;1H\x1b[L") == "\na\nb");
  CHECK(shown("a\r\nb\r\nc\x1b[1;1H\x1b[M") == "b\nc");
  CHECK(shown("abcd\x1b[1;2H\x1b[2P") == "ad");
  CHECK(shown("abcd\x1b[1;2H\x1b[2@") == "a  bcd");
  CHECK(shown("abcd\x1b[1;2H\x1b[2X") == "a  d");
  CHECK(shown("ab\x1b[sxx\x1b[uY") == "abYx");
  CHECK(shown("ab\x1b[2Ec") == "ab\n\nc");
  CHECK(shown("-\x1b[4b|") == "-----|");
}

TEST_CASE("emulator: several progress bars are redrawn in place", "[emulator]") {
  auto terminal = small_terminal(40, 5);
  terminal.feed("training\r\n");
  for (int i = 0; i <= 100; i += 10) {
    const auto number = std::to_string(i);
    terminal.feed("\r\x1b[Kepoch  " + number + "%|" + std::string(static_cast<std::size_t>(i / 10), '#'));
    terminal.feed("\n\r\x1b[Kbatch  " + number + "%|\xE2\x96\x88\xE2\x96\x8F\x1b[A");
  }
  CHECK(screen_of(terminal) == "training\nepoch  100%|##########\nbatch  100%|\u2588\u258F");
  CHECK(terminal.screen_line() == 0);
}

TEST_CASE("emulator: lines that leave the screen are kept, in order, each once", "[emulator]") {
  for (const int rows : {1, 2, 3, 24}) {
    auto terminal = small_terminal(12, rows, 5000);
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
      terminal.feed("line " + std::to_string(i) + (i < 999 ? "\r\n" : ""));
      expected += "line " + std::to_string(i) + (i < 999 ? "\n" : "");
    }
    CHECK(terminal.first_line() == 0);
    CHECK(terminal.end_line() == 1000);
    CHECK(everything_of(terminal) == expected);
  }
}

TEST_CASE("emulator: a line without an end fills row after row", "[emulator]") {
  auto terminal = small_terminal(10, 3, 5000);
  std::string bytes;
  for (int i = 0; i < 500; ++i) bytes += std::to_string(1000 + i) + ".";
  terminal.feed(bytes);
  std::string joined;
  for (auto i = terminal.first_line(); i < terminal.end_line(); ++i) joined += terminal.line(i).text;
  CHECK(joined == bytes);
  CHECK(terminal.end_line() == 250);
}

TEST_CASE("emulator: the scrollback is bounded and numbers go on", "[emulator]") {
  auto terminal = small_terminal(10, 3, 50);
  for (int i = 0; i < 1000; ++i) terminal.feed(std::to_string(i) + "\r\n");
  CHECK(terminal.screen_line() == 998);
  CHECK(terminal.first_line() == 948);
  CHECK(terminal.line(948).text == "948");
  CHECK(terminal.line(999).text == "999");
  CHECK(terminal.text(0, 950) == "948\n949\n");
}

TEST_CASE("emulator: scrolling within margins and by command keeps what leaves", "[emulator]") {
  auto terminal = small_terminal(10, 4);
  terminal.feed("a\r\nb\r\nc\r\nd\x1b[1;3r\x1b[3;1H\n\rx");
  CHECK(everything_of(terminal) == "a\nb\nc\nx\nd");
  CHECK(terminal.screen_line() == 1);
  terminal.feed("\x1b[r\x1b[2S");
  CHECK(terminal.screen_line() == 3);
  CHECK(everything_of(terminal) == "a\nb\nc\nx\nd");
  terminal.feed("\x1b[9999S");
  CHECK(terminal.screen_line() == 7);
}

TEST_CASE("emulator: a full-screen program leaves everything as it was", "[emulator]") {
  auto terminal = small_terminal();
  terminal.feed("a\r\nb\x1b[?1049h\x1b[Hfull\r\nscreen\r\n1\r\n2\r\n3");
  CHECK(terminal.alternate());
  CHECK(screen_of(terminal) == "1\n2\n3");
  CHECK(terminal.screen_line() == 0);
  terminal.feed("\x1b[?1049l!");
  CHECK_FALSE(terminal.alternate());
  CHECK(screen_of(terminal) == "a\nb!");
}

TEST_CASE("emulator: wide characters take two columns and are never cut", "[emulator]") {
  CHECK(shown("\u5B66\u7FD2x") == "\u5B66\u7FD2x");
  CHECK(shown("123456789\u5B66x") == "123456789\n\u5B66x");
  CHECK(shown("\u5B66\u7FD2\rx") == "x \u7FD2");
  CHECK(shown("\u5B66\u7FD2\x1b[1;2Hx") == " x\u7FD2");
  CHECK(shown("\U0001F680x\x1b[1;3Hy") == "\U0001F680y");
  auto terminal = small_terminal();
  terminal.feed("\u5B66\U0001F680x");
  CHECK(terminal.cursor() == Emulator::Cursor{5, 0, true});
}

TEST_CASE("emulator: marks stay on their character, wherever the bytes are cut", "[emulator]") {
  const std::string text = "e\u0301te\u0301 \u5B66\u0301";
  CHECK(shown(text) == text);
  auto terminal = small_terminal();
  for (const char c : text) terminal.feed({&c, 1});
  CHECK(screen_of(terminal) == text);
  CHECK(terminal.cursor().x == 6);
  CHECK(shown("123456789e\u0301x") == "123456789e\u0301\nx");
}

TEST_CASE("emulator: colours and looks", "[emulator]") {
  auto terminal = small_terminal(40);
  terminal.feed("p\x1b[1;31mr\x1b[0;38;2;1;2;3mt\x1b[48:2::4:5:6mb\x1b[m\x1b[4;7mu\x1b[m\x1b[97;44mw\x1b[38;5;196mx");
  std::vector<term::OutputStyle> styles;
  std::string text;
  terminal.line(0).for_each_cell([&](int, std::string_view cell, int, const term::OutputStyle& style) {
    text += cell;
    styles.push_back(style);
  });
  REQUIRE(text == "prtbuwx");
  CHECK(styles[0] == term::OutputStyle{});
  CHECK(styles[1].foreground == OutputColor{OutputColor::Kind::kPalette, 1, {}});
  CHECK(styles[1].bold);
  CHECK(styles[2].foreground == OutputColor{OutputColor::Kind::kRgb, 0, {1, 2, 3}});
  CHECK_FALSE(styles[2].bold);
  CHECK(styles[3].background == OutputColor{OutputColor::Kind::kRgb, 0, {4, 5, 6}});
  CHECK(styles[4].underline);
  CHECK(styles[4].inverse);
  CHECK(styles[5].foreground == OutputColor{OutputColor::Kind::kPalette, 15, {}});
  CHECK(styles[5].background == OutputColor{OutputColor::Kind::kPalette, 4, {}});
  CHECK(styles[6].foreground == OutputColor{OutputColor::Kind::kRgb, 0, {255, 0, 0}});

  CHECK(look_of(styles[1], term::ColorDepth::k16).foreground == ftxui::Color{ftxui::Color::Red});
  CHECK(look_of(styles[1], term::ColorDepth::kMono).foreground == ftxui::Color{ftxui::Color::Default});
  CHECK(look_of(styles[0], term::ColorDepth::kTrueColor).background == ftxui::Color{ftxui::Color::Default});
}

TEST_CASE("emulator: a background that was asked for is kept to the end of the line", "[emulator]") {
  auto terminal = small_terminal();
  terminal.feed("\x1b[41ma  \x1b[m");
  CHECK(terminal.line(0).text == "a  ");
}

TEST_CASE("emulator: line drawing characters", "[emulator]") {
  CHECK(shown("\x1b(0lqk\x1b(Bx") == "\u250C\u2500\u2510x");
}

TEST_CASE("emulator: the cursor hides and shows", "[emulator]") {
  auto terminal = small_terminal();
  terminal.feed("ab\x1b[?25l");
  CHECK(terminal.cursor() == Emulator::Cursor{2, 0, false});
  terminal.feed("\x1b[?25h12345678");
  CHECK(terminal.cursor() == Emulator::Cursor{9, 0, true});
}

TEST_CASE("emulator: the revision tells whether something may have changed", "[emulator]") {
  auto terminal = small_terminal();
  const auto before = terminal.revision();
  terminal.feed("");
  terminal.resize(10, 3);
  CHECK(terminal.revision() == before);
  terminal.feed("a");
  CHECK(terminal.revision() > before);
}

TEST_CASE("emulator: a lower screen keeps the end, and a higher one gets lines back", "[emulator]") {
  auto terminal = small_terminal(10, 6);
  terminal.feed("a\r\n\x1b[31mb\x1b[m\u5B66e\u0301\r\nc\r\nd");
  terminal.resize(10, 5);
  CHECK(screen_of(terminal) == "a\nb\u5B66e\u0301\nc\nd");
  terminal.resize(10, 2);
  CHECK(screen_of(terminal) == "c\nd");
  CHECK(terminal.cursor() == Emulator::Cursor{1, 1, true});
  CHECK(terminal.line(1).spans.front().style.foreground.index == 1);
  terminal.resize(20, 5);
  CHECK(screen_of(terminal) == "a\nb\u5B66e\u0301\nc\nd");
  CHECK(terminal.line(1).spans.front().style.foreground.index == 1);
  CHECK(terminal.screen_line() == 0);
  terminal.feed("!");
  CHECK(screen_of(terminal) == "a\nb\u5B66e\u0301\nc\nd!");
}

TEST_CASE("emulator: any size is made a possible one", "[emulator]") {
  auto terminal = small_terminal();
  terminal.feed("hello");
  for (const auto& [columns, rows] :
       {std::pair{1, 1}, std::pair{-5, 0}, std::pair{100000, 100000}, std::pair{80, 24}}) {
    terminal.resize(columns, rows);
    terminal.feed("\u5B66 text \x1b[5;5H and more\r\n\n\n");
    CHECK(terminal.columns() >= Emulator::kLeastColumns);
    CHECK(terminal.rows() <= Emulator::kMostRows);
  }
  CHECK(terminal.columns() == 80);
}

TEST_CASE("emulator: two readers at different places do not disturb each other or the job", "[emulator]") {
  auto terminal = small_terminal(10, 3);
  for (int i = 0; i < 20; ++i) terminal.feed(std::to_string(i) + "\r\n");
  CHECK(terminal.text(5, 7) == "5\n6\n");
  CHECK(terminal.text(17, 19) == "17\n18\n");
  terminal.feed("x");
  CHECK(terminal.text(5, 7) == "5\n6\n");
  CHECK(screen_of(terminal) == "18\n19\nx");
}

TEST_CASE("emulator: says which bytes are older than the first line", "[emulator]") {
  const auto printed = [](int from, int to) {
    std::string text;
    for (int i = from; i < to; ++i) text += "line " + std::to_string(i) + "\r\n";
    return text;
  };
  for (const int piece : {1, 7, 100, 50000}) {
    Emulator terminal{{.columns = 20, .rows = 5, .scrollback = 1000}};
    for (int i = 0; i < 50000; i += piece) {
      terminal.feed(printed(i, std::min(i + piece, 50000)));
      static_cast<void>(terminal.first_line());  // somebody looks
    }
    const auto all = printed(0, 50000);
    const auto since = terminal.fed_since(terminal.first_line());
    const auto older = all.substr(0, all.size() - since);
    const auto first = terminal.line(terminal.first_line()).text;
    CAPTURE(piece, first);
    // All that is not at hand is in it, and little that is.
    CHECK(older.size() >= all.find("\n" + first + "\r") + 1);
    CHECK(older.size() <=
          all.find("\n" + first + "\r") + 1 + std::min<std::size_t>(static_cast<std::size_t>(piece) * 12, 4200));
  }
  Emulator fresh{{.columns = 20, .rows = 5}};
  fresh.feed("one\r\ntwo");
  CHECK(fresh.fed_since(fresh.first_line()) == 8);
}

TEST_CASE("emulator: the scrollback can be made shorter and longer", "[emulator]") {
  Emulator terminal{{.columns = 20, .rows = 5, .scrollback = 100}};
  for (int i = 0; i < 200; ++i) terminal.feed(std::to_string(i) + "\r\n");
  CHECK(terminal.screen_line() - terminal.first_line() == 100);
  terminal.set_scrollback(10);
  CHECK(terminal.screen_line() - terminal.first_line() == 10);
  terminal.set_scrollback(1000);
  for (int i = 200; i < 400; ++i) terminal.feed(std::to_string(i) + "\r\n");
  CHECK(terminal.screen_line() - terminal.first_line() == 210);
  CHECK(terminal.line(terminal.first_line()).text == std::to_string(terminal.first_line()));
}
