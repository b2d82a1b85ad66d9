#include "gputop/term/ascii.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/term/diff_writer.hpp"
#include "unit/term/random_frames.hpp"

namespace gputop::term {
namespace {

TEST_CASE("ascii_for: look-alikes", "[term]") {
  CHECK(ascii_for(U'─') == '-');
  CHECK(ascii_for(U'│') == '|');
  CHECK(ascii_for(U'┌') == '+');
  CHECK(ascii_for(U'╭') == '+');
  CHECK(ascii_for(U'█') == '#');
  CHECK(ascii_for(U'░') == '.');
  CHECK(ascii_for(U'⣿') == '#');
  CHECK(ascii_for(U'⠀') == ' ');
  CHECK(ascii_for(U'–') == '-');
  CHECK(ascii_for(U'→') == '>');
  CHECK(ascii_for(U'…') == '.');
  CHECK(ascii_for(U'é') == 'e');
  CHECK(ascii_for(U'ß') == 's');
  CHECK(ascii_for(U'字') == '?');
  CHECK(ascii_for(U'a') == 'a');
}

TEST_CASE("ascii_for: never leaves ASCII, whatever the code point", "[term]") {
  for (char32_t code = 0; code < 0x3100; ++code) {
    const char ascii = ascii_for(code);
    if (ascii < 0x20 || ascii > 0x7e) FAIL("code point " << static_cast<unsigned>(code));
  }
  CHECK(ascii_for(0x1F44D) == '?');
}

TEST_CASE("make_ascii: no byte above 0x7e is left in what is sent", "[term]") {
  test::RandomFrames random{3};
  for (int round = 0; round < 200; ++round) {
    Frame frame{random.screen(20, 4), std::nullopt};
    frame.cells.PixelAt(0, 0).character = "\xFF\xFE";
    make_ascii(frame.cells);
    for (const char byte : difference(nullptr, frame)) REQUIRE(static_cast<unsigned char>(byte) < 0x7f);
  }
}

}  // namespace
}  // namespace gputop::term
