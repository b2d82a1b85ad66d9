// The last pass over a screen for a terminal without UTF-8: nothing above 0x7e is left.
#pragma once

#include <ftxui/screen/screen.hpp>

namespace gputop::term {

// The ASCII look-alike of one code point: '-' for a horizontal line, '#' for a full block, '?' when there is none.
char ascii_for(char32_t code);

// Box drawing, blocks, braille, arrows and marks become look-alikes, letters lose their accents, everything else
// becomes '?'.
void make_ascii(ftxui::Screen& screen);

// For a plain Linux console: replaces what its font lacks.
void make_plain(ftxui::Screen& screen);

}  // namespace gputop::term
