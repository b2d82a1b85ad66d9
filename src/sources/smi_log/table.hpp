// A log as rows of cells with known columns: everything before, between and after them is skipped and reported.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"
#include "sources/smi_log/columns.hpp"

namespace gputop::smi {

using Row = std::vector<std::string>;

struct LogTable {
  // Where a row is: its block of rows, each begun by a date or the header, and that date.
  struct Place {
    std::size_t block = 0;
    std::optional<WallTime> time;
  };
  std::vector<Column> columns;
  std::vector<Row> rows;      // each as wide as `columns`
  std::vector<Place> places;  // of the rows
  std::vector<std::string> notes;
};

// `given` names the columns of a log without a header.
Result<LogTable> read_table(std::string_view text, std::string_view file, const std::vector<std::string>& given);

}  // namespace gputop::smi
