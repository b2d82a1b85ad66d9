#include <catch2/catch_test_macros.hpp>

#include <string>

#include "gputop/core/format.hpp"

using namespace gputop;
using namespace std::string_literals;

TEST_CASE("printable: ordinary text stays as it is", "[core]") {
  CHECK(printable("").empty());
  CHECK(printable("python train.py --lr 1e-4") == "python train.py --lr 1e-4");
  CHECK(printable("größe 東京 🚀 e\u0301") == "größe 東京 🚀 e\u0301");
}

TEST_CASE("printable: no control character gets through", "[core]") {
  CHECK(printable("a\tb\nc\0d"s) == "a b c d");
  CHECK(printable("\x1b[31mred\x1b[0m") == "·[31mred·[0m");
  CHECK(printable("\x1b]0;title\x07") == "·]0;title·");
  CHECK(printable("\r\b\x7f") == "···");
  CHECK(printable("\u009b31m\u0085") == "·31m·");  // the one-character CSI, and a line break
  for (int byte = 0; byte < 256; ++byte) {
    const auto text = printable(std::string(1, static_cast<char>(byte)));
    for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }
}

TEST_CASE("printable: characters that turn text around or hide it are shown", "[core]") {
  for (const auto* sly : {"\u202e", "\u2066", "\u200b", "\u200d", "\u200e", "\u061c", "\ufeff", "\u2028", "\u2060",
                          "\u00ad", "\u180e", "\u3164", "\ufff9", "\U000e0041"}) {
    CHECK(printable("a"s + sly + "b") == "a·b");
  }
  CHECK(printable("a\u00a0b") == "a\u00a0b");  // a blank that does not break is only a blank
}

TEST_CASE("printable: invalid UTF-8 is replaced byte by byte", "[core]") {
  CHECK(printable("\xff") == "\ufffd");
  CHECK(printable("a\x80z") == "a\ufffdz");
  CHECK(printable("\xc0\xaf") == "\ufffd\ufffd");            // an overlong slash
  CHECK(printable("\xe0\x80\xaf") == "\ufffd\ufffd\ufffd");  // again, in three
  CHECK(printable("\xf0\x80\x80\x9b") == "\ufffd\ufffd\ufffd\ufffd");
  CHECK(printable("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");            // half of a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == "\ufffd\ufffd\ufffd\ufffd");  // beyond Unicode
  CHECK(printable("\xe6\x9d") == "\ufffd\ufffd");                      // cut off
  CHECK(printable("\xe6\x9d"
                  "b") ==
        "\ufffd\ufffd"
        "b");
  CHECK(printable("\xc3\x1b[2J") == "\ufffd·[2J");  // does not swallow what follows
}

TEST_CASE("printable: what it returns it leaves alone", "[core]") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(printable(printable(all)) == printable(all));
}

TEST_CASE("JSON for a terminal says the same without characters that move or hide others", "[core]") {
  CHECK(harmless_json("{\"a\": \"b\"}\n") == "{\"a\": \"b\"}\n");
  CHECK(harmless_json("\"\xC2\x9B"
                      "31m\x7F\"") == "\"\\u009b31m\\u007f\"");
  CHECK(harmless_json("\"\xE2\x80\xAE\"") == "\"\\u202e\"");
  CHECK(harmless_json("\"\xF3\xA0\x80\x81\"") == "\"\\udb40\\udc01\"");
  CHECK(harmless_json("\"\xC3\xA9 \xE2\x94\x81\"") == "\"\xC3\xA9 \xE2\x94\x81\"");
}
