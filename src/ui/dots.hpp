// Braille: a cell is two columns of four dots.
#pragma once

#include <array>
#include <string_view>

namespace gputop::ui {

// The dots of one column (0 left, 1 right), counted from below: those below `height`, none below `from`.
constexpr unsigned column_dots(int height, int column, int from = 0) {
  constexpr std::array<std::array<unsigned, 4>, 2> kDots{{{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}};
  unsigned dots = 0;
  for (int i = from < 0 ? 0 : from; i < height && i < 4; ++i)
    dots |= kDots[static_cast<std::size_t>(column)][static_cast<std::size_t>(i)];
  return dots;
}

struct Braille {
  std::array<char, 3> bytes;
  [[nodiscard]] std::string_view view() const { return {bytes.data(), bytes.size()}; }
};

// U+2800 + dots as UTF-8.
constexpr Braille braille(unsigned left, unsigned right) {
  const unsigned dots = left | right;
  return {{static_cast<char>(0xE2), static_cast<char>(0xA0 + (dots >> 6U)), static_cast<char>(0x80 + (dots & 0x3FU))}};
}

}  // namespace gputop::ui
