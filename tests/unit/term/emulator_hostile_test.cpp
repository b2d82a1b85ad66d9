// Output nobody means well with: what may it do to the screen, and to our memory?
#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <random>

#include "emulator_support.hpp"
#include "gputop/core/format.hpp"

using namespace gputop;
using namespace gputop::test;
using term::Emulator;

namespace {

std::int64_t resident_bytes() {
  std::ifstream file{"/proc/self/statm"};
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

// A sanitizer keeps freed memory: its numbers are not ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t kMostGrowth = INT64_MAX;
#else
constexpr std::int64_t kMostGrowth = 64 << 20;
#endif

// No control character, no bidi, no broken UTF-8: what is left can be handed to a terminal as text.
bool is_clean(const std::string& text) {
  return printable(text) == text;
}

bool all_clean(const Emulator& terminal) {
  for (auto i = terminal.first_line(); i < terminal.end_line(); ++i) {
    if (!is_clean(terminal.line(i).text)) return false;
  }
  return true;
}

// No line is wider than the screen was at its widest.
int widest_line(const Emulator& terminal) {
  int widest = 0;
  for (auto i = terminal.first_line(); i < terminal.end_line(); ++i) {
    terminal.line(i).for_each_cell([&](int column, std::string_view, int width, const term::OutputStyle&) {
      widest = std::max(widest, column + width);
    });
  }
  return widest;
}

}  // namespace

TEST_CASE("hostile output: titles, clipboard, DCS, APC, PM and SOS leave nothing behind", "[emulator]") {
  for (const auto* string :
       {"\x1b]0;title\a", "\x1b]52;c;aGk=\x1b\\", "\x1bPq#0;2;0;0;0\x1b\\", "\x1b_Gf=100;AAAA\x1b\\",
        "\x1b^private\x1b\\", "\x1bXstring\x1b\\", "\x1b]8;;http://x\x1b\\", "\x1b]11;?\a"}) {
    CHECK(shown(std::string{"a"} + string + "b") == "ab");
  }
}

TEST_CASE("hostile output: queries change nothing and nobody answers", "[emulator]") {
  for (const auto* query : {"\x05", "\x1b[c", "\x1b[>c", "\x1b[=c", "\x1b[5n", "\x1b[6n", "\x1b[?6n", "\x1bZ", "\x1b[x",
                            "\x1b[18t", "\x1b[21t", "\x1b[?1$p", "\x1bP$qm\x1b\\", "\x1b[?u", "\x1b[>q"}) {
    CHECK(shown(std::string{"a"} + query + "b") == "ab");
  }
}

TEST_CASE("hostile output: a picture's string is swallowed whole, however long it is", "[emulator]") {
  for (const auto* start : {"\x1b]1337;File=inline=1:", "\x1bPq"}) {
    CHECK(shown(std::string{"a"} + start + std::string(100'000, 'A') + "\x1b\\" + "b") == "ab");
  }
}

TEST_CASE("hostile output: a string without an end hides 4 KiB and the rest of its line, not everything",
          "[emulator]") {
  for (const auto* start : {"\x1b]0;", "\x1bP", "\x1b_"}) {
    auto terminal = small_terminal(80, 3, 1000);
    terminal.feed("before\r\n");
    terminal.feed(start);
    terminal.feed(std::string(Emulator::kLongestString, 'x'));
    terminal.feed("\r\nafter");
    CHECK(everything_of(terminal).find("before") == 0);
    CHECK(screen_of(terminal).ends_with("after"));
    CHECK(terminal.end_line() < 10);
  }
}

TEST_CASE("hostile output: a sequence without an end, or with a thousand numbers", "[emulator]") {
  CHECK(shown("a\x1b[" + std::string(100000, '1') + "mb") == "ab");
  std::string many = "\x1b[";
  for (int i = 0; i < 1000; ++i) many += "1;";
  CHECK(shown("a" + many + "Hb") == "ab");
  CHECK(shown("a\x1b[99999999999999999999Cb") == "a        b");
  CHECK(shown("a\x1b[2147483648;4294967296Hb") == "a\n\n         b");
  CHECK(shown("\x1b[b\x1b[5b") == "");
  CHECK(shown("a\x1b[1\x18"
              "b") == "ab");
}

TEST_CASE("hostile output: bidi overrides and zero-width characters show", "[emulator]") {
  CHECK(shown("a\u202Eb") == "a\u00B7b");
  CHECK(shown("a\u200Bb\uFEFF") == "a\u00B7b\u00B7");
  CHECK(shown("a\u2066b\u2069") == "a\u00B7b\u00B7");
  CHECK(shown("\u0301x") == "\u00B7x");
}

TEST_CASE("hostile output: a pile of marks ends at eight", "[emulator]") {
  std::string pile = "e";
  std::string eight = "e";
  for (int i = 0; i < 1000; ++i) pile += "\u0301";
  for (std::size_t i = 0; i < Emulator::kMostMarks; ++i) eight += "\u0301";
  CHECK(shown(pile + "x") == eight + "x");
}

TEST_CASE("hostile output: what is not UTF-8 is replaced, byte by byte", "[emulator]") {
  CHECK(shown("a\xFF\xC0"
              "b") == "a\uFFFD\uFFFDb");
  CHECK(shown("a\xE2\x96") == "a");
  CHECK(shown("a\xE2\x96z") == "a\uFFFD\uFFFDz");
  CHECK(shown("a\xC2\x9B"
              "31mb") == "a\u00B731mb");
  CHECK(shown(std::string{"a\0\0b", 4}) == "ab");
}

TEST_CASE("hostile output: a job's own private characters are kept apart from our stand-ins", "[emulator]") {
  CHECK(shown("\U000F0000\U000F0001e\u0301\U00030000") == "\U000F0000\U000F0001e\u0301\U00030000");
}

TEST_CASE("hostile output: erasing the scrollback is not for the job", "[emulator]") {
  auto terminal = small_terminal();
  for (int i = 0; i < 10; ++i) terminal.feed(std::to_string(i) + "\r\n");
  terminal.feed(
      "\x1b[3J\x1b"
      "c");
  CHECK(terminal.first_line() == 0);
  CHECK(terminal.line(0).text == "0");
  CHECK(screen_of(terminal).empty());
}

TEST_CASE("hostile output: endless colours, marks and lines stay within bounds", "[emulator]") {
  Emulator terminal{{.columns = 1000, .rows = 50}};
  const auto before = resident_bytes();
  std::string bytes;
  for (int i = 0; i < 60000; ++i) {
    const auto n = [&](int shift) { return std::to_string((i >> shift) % 256); };
    bytes += "\x1b[38;2;" + n(0) + ";" + n(3) + ";" + n(7) + "m\x1b[48;2;" + n(1) + ";" + n(5) + ";" + n(9) + "m";
    bytes += "e\u0301\u0302\u0303";
    bytes += "\u5B66";
  }
  for (int i = 0; i < 3; ++i) terminal.feed(bytes);
  CHECK(resident_bytes() - before < kMostGrowth);
  CHECK(all_clean(terminal));
}

TEST_CASE("hostile output: megabytes without a newline, of NULs, of scroll commands", "[emulator]") {
  Emulator terminal{{.columns = 200, .rows = 50}};
  const auto before = resident_bytes();
  const std::string chunk(1 << 16, 'x');
  for (int i = 0; i < 48; ++i) terminal.feed(chunk);
  for (int i = 0; i < 48; ++i) terminal.feed(std::string(1 << 16, '\0'));
  std::string scrolls;
  for (int i = 0; i < 2000; ++i) scrolls += "\x1b[9999S";
  terminal.feed(scrolls);
  CHECK(terminal.end_line() - terminal.first_line() == 3050);
  CHECK(resident_bytes() - before < kMostGrowth);
}

TEST_CASE("random output never breaks a line, and counts every line that scrolls", "[emulator]") {
  std::mt19937 random{20240607};
  const std::vector<std::string> pieces{"text",
                                        "\r\n",
                                        "\n",
                                        "\r",
                                        "\t",
                                        "\b",
                                        "\x1b[A",
                                        "\x1b[B",
                                        "\x1b[5C",
                                        "\x1b[H",
                                        "\x1b[2J",
                                        "\x1b[K",
                                        "\x1b[3;5r",
                                        "\x1b[r",
                                        "\x1b[2;9H",
                                        "\x1b[3S",
                                        "\x1b[2T",
                                        "\x1b[L",
                                        "\x1b[2M",
                                        "\x1b[P",
                                        "\x1b[@",
                                        "\x1b[31m",
                                        "\x1b[?1049h",
                                        "\x1b[?1049l",
                                        "\x1b[?7l",
                                        "\x1b[?7h",
                                        "\x1b[?6h",
                                        "\x1b[?6l",
                                        "\x1b[4h",
                                        "\x1b[4l",
                                        "\x1b"
                                        "7",
                                        "\x1b"
                                        "8",
                                        "\x1b"
                                        "D",
                                        "\x1b"
                                        "E",
                                        "\x1b"
                                        "M",
                                        "\x1b"
                                        "c",
                                        "\x1b[!p",
                                        "\u5B66",
                                        "e\u0301",
                                        "\u0301",
                                        "\U0001F680",
                                        "\u202E",
                                        "\xFF",
                                        "\xE2",
                                        "\x1b]0;x",
                                        "\a",
                                        "\x1b[50b",
                                        "\x1b[J",
                                        "\x1b(0",
                                        "\x1b(B",
                                        "\x1b[9999G",
                                        "\x1b[1J",
                                        "\x1bP",
                                        "\x1b\\",
                                        "0123456789012345678901234567890"};
  for (int round = 0; round < 60; ++round) {
    const int widest = 40;
    auto terminal = small_terminal(static_cast<int>(2 + random() % 38), static_cast<int>(1 + random() % 9), 200);
    std::uint64_t before = 0;
    for (int i = 0; i < 1500; ++i) {
      if (random() % 100 == 0) {
        terminal.resize(static_cast<int>(random() % 41), static_cast<int>(random() % 10));
        before = 0;  // a higher screen takes lines back
      } else if (random() % 10 == 0) {
        const auto byte = static_cast<char>(random());
        terminal.feed({&byte, 1});
      } else {
        terminal.feed(pieces[random() % pieces.size()]);
      }
      REQUIRE(terminal.screen_line() >= before);
      before = terminal.screen_line();
      const auto cursor = terminal.cursor();
      REQUIRE((cursor.x >= 0 && cursor.x < terminal.columns() && cursor.y >= 0 && cursor.y < terminal.rows()));
    }
    REQUIRE(terminal.end_line() - terminal.first_line() <= 200U + static_cast<unsigned>(terminal.rows()));
    REQUIRE(all_clean(terminal));
    REQUIRE(widest_line(terminal) <= widest);
  }
}
