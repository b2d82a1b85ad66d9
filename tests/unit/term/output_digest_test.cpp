// A flood is emulated by less than all of it; what can be seen must be what all of it would have left.
#include "term/output_digest.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "gputop/term/emulator.hpp"

using gputop::term::Emulator;
using gputop::term::find_skippable;
using gputop::term::plain_length;
using gputop::term::without_overwritten;

namespace {

// Everything that can be seen of it. Fed in small pieces and looked at after each, nothing is ever left out.
std::string seen(std::string_view bytes, std::size_t piece, Emulator::Options options) {
  Emulator terminal{options};
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    terminal.feed(bytes.substr(at, piece));
    if (piece < 32768) static_cast<void>(terminal.cursor());
  }
  std::string text = terminal.text(terminal.first_line(), terminal.end_line());
  for (auto i = terminal.first_line(); i < terminal.end_line(); ++i) {
    terminal.line(i).for_each_cell([&](int x, std::string_view glyph, int, const gputop::term::OutputStyle& style) {
      if (style != gputop::term::OutputStyle{})
        text += std::to_string(i - terminal.first_line()) + ":" + std::to_string(x) + std::string{glyph};
    });
  }
  const auto cursor = terminal.cursor();
  return text + std::to_string(cursor.x) + "," + std::to_string(cursor.y);
}

constexpr Emulator::Options kSmall{.columns = 20, .rows = 5, .scrollback = 50};

}  // namespace

TEST_CASE("a flood of any mixture leaves what all of it would have left", "[term][digest]") {
  const std::string pieces[] = {"plain text",
                                "a longer line that wraps at least once",
                                "\r\n",
                                "\r\n",
                                "\n",
                                "\r 42%|###   |",
                                "\r  7%|#|",
                                "\r\xE2\x96\x88\xE2\x96\x88\xE2\x96\x8C 50%",
                                "\x1b[31mred",
                                "\x1b[0m",
                                "\x1b[1;4m",
                                "\x1b[A",
                                "\x1b[2;3r",
                                "\x1b[r",
                                "\x1b[?1049h",
                                "\x1b[?1049l",
                                "\x1b]0;title\a",
                                "\xE4\xB8\xAD\xE6\x96\x87",
                                "\t",
                                "\b",
                                "e\xCC\x81",
                                "\xFF\xFE"};
  std::mt19937 random{11};
  for (int round = 0; round < 60; ++round) {
    // Rare sequences stay rare: else nothing would ever be skipped.
    const std::size_t plain = round % 3 == 0 ? 8 : round % 3 == 1 ? 11 : std::size(pieces);
    std::string bytes;
    while (bytes.size() < 150'000) {
      const auto which = random() % 50 == 0 && round % 4 != 0 ? random() % std::size(pieces) : random() % plain;
      bytes += pieces[which];
      if (round % 5 == 0 && random() % 4 == 0) bytes += std::to_string(bytes.size()) + "\r\n";
    }
    CAPTURE(round);
    REQUIRE(seen(bytes, bytes.size(), kSmall) == seen(bytes, 997, kSmall));
  }
}

TEST_CASE("of many lines the last are emulated, in the colours that are on", "[term][digest]") {
  std::string bytes = "\x1b[1mbold ";
  for (int i = 0; i < 5000; ++i) bytes += "line " + std::to_string(i) + "\r\n";
  const auto skip = find_skippable(bytes, 55, 20, false);
  REQUIRE(skip);
  CHECK(bytes.size() - skip->end < 1500);
  CHECK(skip->looks == "\x1b[1m");
  CHECK(seen(bytes, bytes.size(), kSmall) == seen(bytes, 997, kSmall));
}

TEST_CASE("what moves the cursor or changes modes is not plain, nor is half a sequence", "[term][digest]") {
  CHECK(plain_length("text\r\n\x1b[1;31mred\x1b[0m\x1b[A") == 20);
  CHECK(plain_length("text\x1b[?25l") == 4);
  CHECK(plain_length("text\x1b]0;title\a") == 4);
  CHECK(plain_length("text\x1b[3") == 4);
  CHECK(plain_length("\xFF\t\b\a ") == 5);
}

TEST_CASE("lines are skipped only where enough come after them, from a first column on", "[term][digest]") {
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "line " + std::to_string(i) + "\r\n";
  CHECK_FALSE(find_skippable(lines.substr(0, 500), 55, 20, false).has_value());
  std::string bare;
  for (int i = 0; i < 5000; ++i) bare += "line\n";
  CHECK_FALSE(find_skippable(bare, 55, 20, false).has_value());
  CHECK(find_skippable(bare, 55, 20, true).has_value());
}

TEST_CASE("of a million progress bars those stay that leave something", "[term][digest]") {
  CHECK(without_overwritten("begun\rlonger text\rshort\rshort\rtiny", 80) == "begun\rlonger text\rshort\rtiny");
  CHECK(without_overwritten("\raaaa\rbb\ncc\rdd", 80) == "\raaaa\rbb\ncc\rdd");
  CHECK(without_overwritten("\r" + std::string(90, 'w') + "\rx\rx", 80) == "\r" + std::string(90, 'w') + "\rx");
  std::string bars;
  for (int i = 0; i < 10'000; ++i) bars += "\r" + std::to_string(i % 7919) + "/10000";
  CHECK(without_overwritten(bars, 80).size() < 100);
}
