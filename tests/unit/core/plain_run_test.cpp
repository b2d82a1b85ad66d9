#include "gputop/core/plain_run.hpp"

#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

std::size_t byte_by_byte(std::string_view text, std::string_view except) {
  std::size_t length = 0;
  while (length < text.size() && text[length] >= 0x20 && text[length] < 0x7F &&
         except.find(text[length]) == std::string_view::npos)
    ++length;
  return length;
}

TEST_CASE("plain_run: stops at every byte that is not plain, wherever it stands, and at no other", "[core]") {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, 'x');
      text[at] = static_cast<char>(byte);
      CAPTURE(byte, at);
      CHECK(plain_run(text) == byte_by_byte(text, ""));
      CHECK(plain_run<'"', '\\'>(text) == byte_by_byte(text, "\"\\"));
    }
  }
}

TEST_CASE("plain_run: random bytes of any length", "[core]") {
  std::mt19937 chance{7};
  for (int round = 0; round < 20'000; ++round) {
    std::string text(chance() % 40, '\0');
    // Mostly plain, so that runs are long; the rest from the edges, where a carry could go wrong.
    for (auto& c : text)
      c = chance() % 16 != 0 ? static_cast<char>(0x20 + chance() % 95) : "\x1f\x7f\x80\xff\0\"\\"[chance() % 7];
    REQUIRE(plain_run(text) == byte_by_byte(text, ""));
    REQUIRE(plain_run<'"', '\\'>(text) == byte_by_byte(text, "\"\\"));
  }
}

}  // namespace
}  // namespace gputop
