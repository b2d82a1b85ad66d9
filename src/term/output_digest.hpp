// A flood of output made shorter before it is emulated: what nobody could ever see or scroll back to is left out. Pure;
// the screen and the lines above it come out the same, cell by cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gputop::term {

// How many bytes are plain: text, controls and colours. What moves the cursor or changes modes is not, nor is a
// sequence that is cut off.
std::size_t plain_length(std::string_view bytes);

// The beginning of plain bytes that has scrolled away for good when all of them have been printed.
struct Skippable {
  std::size_t end = 0;      // a line begins here
  std::uint64_t lines = 0;  // before it, counted as if every byte were a column
  std::string looks;        // the colours that are on there, as sequences
};
// `keep`: lines that stay visible. newline_returns: "\n" alone goes to the first column.
std::optional<Skippable> find_skippable(std::string_view plain, std::size_t keep, int columns, bool newline_returns);

// Plain bytes without what "\r" lets later ones write over: of a million progress bars those that leave something. They
// begin on a line that may have been begun before.
std::string without_overwritten(std::string_view bytes, int columns);

}  // namespace gputop::term
