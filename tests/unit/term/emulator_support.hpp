// Emulators as the tests use them: fed, and read back as plain text.
#pragma once

#include <string>
#include <string_view>

#include "gputop/term/emulator.hpp"

namespace gputop::test {

// Small enough to read in a test.
inline term::Emulator small_terminal(int columns = 10, int rows = 3, std::size_t scrollback = 100) {
  return term::Emulator{{.columns = columns, .rows = rows, .scrollback = scrollback}};
}

// The screen, without empty lines at its end.
inline std::string screen_of(const term::Emulator& terminal) {
  auto text = terminal.text(terminal.screen_line(), terminal.end_line());
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

inline std::string everything_of(const term::Emulator& terminal) {
  auto text = terminal.text(0, terminal.end_line());
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

inline std::string shown(std::string_view bytes, int columns = 10, int rows = 3) {
  auto terminal = small_terminal(columns, rows);
  terminal.feed(bytes);
  return screen_of(terminal);
}

}  // namespace gputop::test
