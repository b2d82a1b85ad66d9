// The columns of a log, and what each adds to a reading.
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
  const ColumnEntry* entry = nullptr;  // nullptr: one that we do not read
  std::string unit;                    // from the header; "" if it has none
  std::size_t rank = 0;                // of its name among those of the entry; 0 is best
};

// By a name in columns.def. nullptr: there is no such column.
const ColumnEntry* find_column(std::string_view name);
// By the name in a file's header.
Column column_of(std::string_view header);
// Of columns with the same value, only the one with the best name is read. Date and time may be two columns.
void keep_best(std::vector<Column>& columns);
// Whether it describes a GPU, rather than which GPU and when.
bool is_reading(const Column& column);

// The columns of a log without a header, from units and values; empty if they cannot be determined.
std::vector<Column> guess_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace gputop::smi
