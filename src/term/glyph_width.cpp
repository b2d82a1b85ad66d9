#include "term/glyph_width.hpp"

#include <algorithm>

#include <ftxui/screen/string.hpp>

namespace gputop::term {

std::string encode_utf8(char32_t code) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0U | code >> 12U), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

int glyph_width(char32_t code) {
  if (code < 0x300) return 1;
  // Lines, blocks, braille: what progress bars are made of.
  if ((code >= 0x2500 && code < 0x25A0) || (code >= 0x2800 && code < 0x2900)) return 1;
  return std::clamp(ftxui::string_width(encode_utf8(code)), 0, 2);
}

}  // namespace gputop::term
