// Counts the printable ASCII at the front of a text, eight bytes at a time. Used on every byte a job prints.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gputop {
namespace plain {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

// The high bit of every byte below `limit` (at most 0x80). Only the lowest set bit is reliable.
constexpr std::uint64_t below(std::uint64_t bytes, unsigned char limit) {
  return (bytes - kOnes * limit) & ~bytes & kHighs;
}

constexpr bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F;
}

}  // namespace plain

// Up to the first byte that is a control character, not ASCII, or one of `Except`.
template <char... Except>
std::size_t plain_run(std::string_view text) {
  using namespace plain;
  std::size_t length = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; length + 8 <= text.size(); length += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, text.data() + length, sizeof bytes);
      const std::uint64_t other =
          below(bytes, 0x20) | ((bytes | (bytes + kOnes)) & kHighs) |
          (std::uint64_t{0} | ... | below(bytes ^ (kOnes * static_cast<unsigned char>(Except)), 1));
      if (other != 0) return length + static_cast<std::size_t>(std::countr_zero(other)) / 8;
    }
  }
  while (length < text.size() && is_plain(text[length]) && (... && (text[length] != Except))) ++length;
  return length;
}

}  // namespace gputop
