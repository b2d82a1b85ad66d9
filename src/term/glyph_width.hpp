// Columns of a character, as FTXUI and the rest of the program count them.
#pragma once

#include "gputop/core/utf8.hpp"

namespace gputop::term {

// 0: a mark that belongs to the previous character; otherwise 1 or 2. Not for control characters.
int glyph_width(char32_t code);

}  // namespace gputop::term
