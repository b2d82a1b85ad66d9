// Rows with more cells than their header has names: a decimal comma, a date and its time, the time twice, a number in
// front that nobody named.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sources/smi_log/table.hpp"

namespace gputop::smi {

// How the cells of such a row come under the columns.
struct Alignment {
  std::optional<std::size_t> dropped;  // a cell that the header does not name
  std::vector<bool> joined;  // for each column: two cells are one value
  bool operator==(const Alignment&) const = default;
};

// The one way in which all of the rows (equally wide, wider than the columns) fit what the columns hold. nullopt: there
// is none, or more than one.
std::optional<Alignment> find_alignment(const std::vector<const Row*>& rows, const std::vector<Column>& columns);

Row aligned(const Row& cells, const Alignment& alignment, const std::vector<Column>& columns);

// Whether the cell can be a value of this column.
bool fits(const std::string& cell, const Column& column);

}  // namespace gputop::smi
