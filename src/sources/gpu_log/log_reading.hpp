// A reading of one GPU as a log has it: its values, and the cells in which the driver says that it could not read.
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
    std::string text;    // for people
  };
  GpuReading gpu;
  std::vector<Unread> unread;

  // A value by its name of columns.def, as text with or without its unit.
  void put(std::string_view column, std::string_view text);
  // The same, with the cell read already.
  void put(std::string_view column, const smi::Cell& cell);
};

}  // namespace gputop::gpu_log
