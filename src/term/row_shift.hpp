// A chart that scrolls: most of a row was a few columns further right before. The terminal can move it by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "term/cell.hpp"

namespace gputop::term {

// The cells [begin + count, end + count) move to [begin, end); the `count` cells after them become undefined.
struct RowShift {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t count = 0;
  bool operator==(const RowShift&) const = default;
};

// The shift to the left that leaves the least to write, if it can be worth its escapes. Rows with wide glyphs are left
// alone.
std::optional<RowShift> find_shift(const std::vector<Cell>& from, const std::vector<Cell>& to);

void apply(const RowShift& shift, std::vector<Cell>& row);

}  // namespace gputop::term
