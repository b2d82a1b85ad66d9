// The columns a log may have, and what each puts into a reading.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "sources/smi_log/cell.hpp"

namespace gputop::smi {

struct ColumnEntry {
  std::string_view name;
  std::string_view unit;     // of a bare number
  std::string_view aliases;  // separated by spaces
  void (*read)(const Cell& cell, GpuReading& gpu);
};

// A column of this file.
struct Column {
  const ColumnEntry* entry = nullptr;  // nullptr: not one we read
  std::string unit;                    // of the header; "" when it says none
  std::size_t rank = 0;                // of its name among those of the entry; 0 is the best
};

// By a name of columns.def. nullptr: no column is called so.
const ColumnEntry* find_column(std::string_view name);
// As a file's header calls it.
Column column_of(std::string_view header);
// Of columns for the same value only the one with the best name is read. Date and time may be two.
void keep_best(std::vector<Column>& columns);
// Whether it says something about a GPU, and not only which one and when.
bool is_reading(const Column& column);

// What the columns of a log without a header are, by units and values; empty when that cannot be told.
std::vector<Column> guess_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace gputop::smi
