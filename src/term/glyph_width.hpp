// Columns of a character, as the rest of the program and FTXUI see them.
#pragma once

#include "gputop/core/utf8.hpp"

namespace gputop::term {

// 0: a mark that belongs to the character before it; else 1 or 2. Not for control characters.
int glyph_width(char32_t code);

}  // namespace gputop::term
