// One GPU's reading from a log: its values, and the cells in which the driver reports a failed reading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "sources/smi_log/cell.hpp"

namespace gputop::gpu_log {

struct LogReading {
  struct Unread {
    std::string metric;  // "power_draw"
    std::string text;    // for the user
  };
  GpuReading gpu;
  std::vector<Unread> unread;

  // A value by its name in columns.def, as text with or without a unit.
  void put(std::string_view column, std::string_view text);
  // The same for a cell that was already parsed.
  void put(std::string_view column, const smi::Cell& cell);
};

}  // namespace gputop::gpu_log
