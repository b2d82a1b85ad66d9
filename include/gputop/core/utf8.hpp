// Decodes one code point of UTF-8 text strictly (overlong forms, surrogates and cut sequences are invalid), and encodes
// one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gputop {

struct CodePoint {
  char32_t code = 0;
  std::size_t length = 0;  // bytes; 0: the text does not start with a valid sequence
};

// The code point at the start of the text. Requires a non-empty text.
constexpr CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  CodePoint point;
  if (lead >= 0xC2 && lead < 0xE0) point = {lead & 0x1FU, 2};
  if (lead >= 0xE0 && lead < 0xF0) point = {lead & 0x0FU, 3};
  if (lead >= 0xF0 && lead < 0xF5) point = {lead & 0x07U, 4};
  if (point.length == 0 || text.size() < point.length) return {};
  for (std::size_t i = 1; i < point.length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    point.code = point.code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (point.length == 3 && point.code < 0x800) || (point.length == 4 && point.code < 0x10000);
  const bool surrogate = point.code >= 0xD800 && point.code <= 0xDFFF;
  if (overlong || surrogate || point.code > 0x10FFFF) return {};
  return point;
}

inline std::string encode_utf8(char32_t code) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | code >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

}  // namespace gputop
