#include "sources/gpu_log/log_reading.hpp"

#include "gputop/core/format.hpp"
#include "sources/smi_log/columns.hpp"

namespace gputop::gpu_log {

void LogReading::put(std::string_view column, std::string_view text) {
  put(column, smi::parse_cell(text));
}

void LogReading::put(std::string_view column, const smi::Cell& cell) {
  const auto* entry = smi::find_column(column);
  if (entry == nullptr) return;
  if (!cell.failure.empty() && smi::is_reading({entry, {}})) {
    unread.push_back({std::string{entry->name}, std::string{entry->name} + " could not be read (the driver says “" +
                                                    printable(cell.failure) + "”): sensor error"});
    return;
  }
  if (!cell.unit.empty() || entry->unit.empty()) return entry->read(cell, gpu);
  smi::Cell with_unit = cell;
  with_unit.unit = entry->unit;
  entry->read(with_unit, gpu);
}

}  // namespace gputop::gpu_log
