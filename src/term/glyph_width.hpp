// Columns of a character, as the rest of the program and FTXUI see them.
#pragma once

#include <string>

namespace gputop::term {

// 0: a mark that belongs to the character before it; else 1 or 2. Not for control characters.
int glyph_width(char32_t code);

std::string encode_utf8(char32_t code);

}  // namespace gputop::term
