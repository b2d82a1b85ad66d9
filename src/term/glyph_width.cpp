#include "term/glyph_width.hpp"

#include <algorithm>

#include <ftxui/screen/string.hpp>

namespace gputop::term {

int glyph_width(char32_t code) {
  if (code < 0x300) return 1;
  // Lines, blocks, braille: the characters of progress bars.
  if ((code >= 0x2500 && code < 0x25A0) || (code >= 0x2800 && code < 0x2900)) return 1;
  return std::clamp(ftxui::string_width(encode_utf8(code)), 0, 2);
}

}  // namespace gputop::term
