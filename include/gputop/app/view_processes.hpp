// Which processes are shown, and in what order: the pure part of the processes pane.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/app/view_filter.hpp"

namespace gputop {

// X(enumerator, name in settings, title, what it is). The only list of columns: sort menu, setup and table follow it.
#define GPUTOP_PROCESS_COLUMNS(X)                                   \
  X(kPid, "pid", "PID", "process id")                               \
  X(kUser, "user", "USER", "who started it")                        \
  X(kGpu, "gpu", "GPU", "GPU it runs on")                           \
  X(kType, "type", "TYPE", "C compute, G graphics")                 \
  X(kSm, "sm", "GPU %", "share of the GPU's time")                  \
  X(kGpuMemory, "gpu_memory", "GPU MEM", "GPU memory")              \
  X(kCpu, "cpu", "CPU %", "host CPU, 100 = one core")               \
  X(kHostMemory, "host_memory", "RAM", "resident host memory")      \
  X(kTime, "time", "TIME", "time since it was started")             \
  X(kCommand, "command", "COMMAND", "command line")

enum class ProcessColumn : std::uint8_t {
#define X(enumerator, name, title, meaning) enumerator,
  GPUTOP_PROCESS_COLUMNS(X)
#undef X
      kCount
};
inline constexpr std::size_t kProcessColumns = static_cast<std::size_t>(ProcessColumn::kCount);

struct ProcessColumnText {
  std::string_view name;
  std::string_view title;
  std::string_view meaning;
};
inline constexpr std::array<ProcessColumnText, kProcessColumns> kProcessColumnText{{
#define X(enumerator, name, title, meaning) {name, title, meaning},
    GPUTOP_PROCESS_COLUMNS(X)
#undef X
}};
std::optional<ProcessColumn> process_column(std::string_view name);

// How long it has been running; unknown if its start is.
Reading<Duration> running_time(const ProcessRow& row, WallTime now);

struct ProcessOrder {
  ProcessColumn sort = ProcessColumn::kGpuMemory;
  bool descending = true;
  bool tree = false;
};

// A line of the table: its row in the model, and its depth in the tree.
struct ProcessLine {
  std::size_t row = 0;
  unsigned depth = 0;
  bool operator==(const ProcessLine&) const = default;
};

// Rows that match the filter, in order. Unknown values come last in either direction; equal ones by PID.
std::vector<ProcessLine> arrange(const std::vector<ProcessRow>& rows, const ProcessOrder& order, const Pattern* filter);

}  // namespace gputop
