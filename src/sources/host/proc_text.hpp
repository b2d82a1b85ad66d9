// Parses single files of /proc: pure functions of their text.
#pragma once

#include <cstdint>
#include <string_view>

#include "gputop/core/host.hpp"

namespace gputop::host {

// /proc/meminfo → memory_total, memory_used, swap_total, swap_used.
void read_memory(std::string_view meminfo, HostReading& host);

// /proc/loadavg → load1, load5, load15.
void read_load(std::string_view loadavg, HostReading& host);

// A file of /proc/pressure. Kernels before 5.13 have no "full" line for the CPU.
Pressure parse_pressure(std::string_view text);

// /proc/PID/stat, the fields that are used.
struct ProcessStat {
  std::string_view name;  // the kernel's short name; any bytes, at most 15
  char state = '?';
  std::int64_t parent = 0;
  std::uint64_t cpu_ticks = 0;
  unsigned threads = 0;
  std::uint64_t start_ticks = 0;  // since boot; together with the PID it identifies a process uniquely
  std::uint64_t resident_pages = 0;
};
Reading<ProcessStat> parse_process_stat(std::string_view text);

}  // namespace gputop::host
