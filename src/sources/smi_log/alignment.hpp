// Rows with more cells than their header has names: a decimal comma, date and time in two cells, the time twice, an
// unnamed number in front.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sources/smi_log/table.hpp"

namespace gputop::smi {

// How the cells of such a row map to the columns.
struct Alignment {
  std::optional<std::size_t> dropped;  // a cell without a name in the header
  std::vector<bool> joined;  // for each column: two cells are one value
  bool operator==(const Alignment&) const = default;
};

// The only way in which all rows (equally wide, wider than the columns) match the column types. nullopt: there is none,
// or more than one.
std::optional<Alignment> find_alignment(const std::vector<const Row*>& rows, const std::vector<Column>& columns);

Row aligned(const Row& cells, const Alignment& alignment, const std::vector<Column>& columns);

// Whether the cell can be a value of this column.
bool fits(const std::string& cell, const Column& column);

}  // namespace gputop::smi
