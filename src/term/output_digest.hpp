// Shortens a flood of output before it is emulated: text that nobody could ever see or scroll back to is left out.
// Pure; the screen and the lines above it stay the same, cell by cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gputop::term {

// How many bytes are plain: text, controls and colors. Bytes that move the cursor or change modes are not, nor is an
// incomplete sequence.
std::size_t plain_length(std::string_view bytes);

// The prefix of plain bytes that will have scrolled away for good when all of them have been printed.
struct Skippable {
  std::size_t end = 0;      // a line begins here
  std::uint64_t lines = 0;  // before it, counting every byte as a column
  std::string looks;        // the colors in effect there, as sequences
};
// `keep`: lines that stay visible. newline_returns: "\n" alone also returns to the first column.
std::optional<Skippable> find_skippable(std::string_view plain, std::size_t keep, int columns, bool newline_returns);

// Plain bytes without text that later bytes overwrite after a "\r": of a million progress bars, only those that leave
// something. The first line may have begun earlier.
std::string without_overwritten(std::string_view bytes, int columns);

}  // namespace gputop::term
