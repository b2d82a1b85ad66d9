// Which characters the terminal can show.
#pragma once

#include <cstdint>

namespace gputop::ui {

enum class GlyphSet : std::uint8_t {
  kBraille,  // UTF-8 and a font with everything
  kBlocks,   // UTF-8, but only what a plain Linux console has: boxes, █ ▄ ░
  kAscii,    // no UTF-8
};

}  // namespace gputop::ui
