#include "store/crc32.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using gputop::store::crc32;

TEST_CASE("crc32: as zlib's, for every length and in pieces of every length", "[store]") {
  CHECK(crc32(0, "123456789") == 0xCBF43926U);
  std::string text;
  for (int i = 0; i < 700; ++i) text += static_cast<char>(i * 131 + i / 7);
  // A bit at a time, as it is defined.
  std::uint32_t slowly = 0xFFFFFFFFU;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto part = std::string_view{text}.substr(0, length);
    REQUIRE(crc32(0, part) == ~slowly);
    REQUIRE(crc32(crc32(0, part.substr(0, length / 3)), part.substr(length / 3)) == ~slowly);
    if (length == text.size()) break;
    slowly ^= static_cast<unsigned char>(text[length]);
    for (int bit = 0; bit < 8; ++bit) slowly = (slowly >> 1U) ^ ((slowly & 1U) != 0 ? 0xEDB88320U : 0U);
  }
}
