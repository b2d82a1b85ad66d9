// The watched processes, read at every tick.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gputop/core/host.hpp"
#include "sources/host/kernel_file.hpp"
#include "sources/host/proc_text.hpp"
#include "sources/host/process_tree.hpp"
#include "sources/host/user_names.hpp"

namespace gputop::host {

class ProcessTable {
 public:
  ProcessTable(const std::string& proc, UserNames::LookUp user_name);

  void watch(std::vector<std::int64_t> pids, std::vector<std::int64_t> tree_roots);

  // By PID. `boot_seconds` is the wall-clock time of the boot; `cpu_count` bounds what a process can have used.
  std::vector<ProcessReading> read(Instant now,
                                   const Reading<std::uint64_t>& boot_seconds,
                                   unsigned cpu_count,
                                   ReadBuffer& buffer);

 private:
  struct Counters {
    Reading<std::uint64_t> bytes_read;
    Reading<std::uint64_t> bytes_written;
    Reading<std::uint64_t> bytes_asked;
    Reading<std::uint64_t> involuntary_switches;
  };
  // State of a process between ticks.
  struct Known {
    std::uint64_t start_ticks = 0;
    Reading<WallTime> started;
    std::string name;  // the kernel's; if it changes, the command is read again
    std::string command;
    Reading<Instant> command_at;
    Descriptor stat;
    std::uint64_t cpu_ticks = 0;
    Reading<Instant> cpu_at;
    Reading<Percent> cpu;
    Reading<std::uint64_t> uid;
    Counters counters;
    Reading<Instant> counters_at;
    Reading<BytesPerSecond> read;
    Reading<BytesPerSecond> write;
    Reading<BytesPerSecond> asked;
    Reading<double> involuntary_switches;
  };
  [[nodiscard]] Descriptor open(std::int64_t pid, const char* name) const;
  std::optional<std::string_view> stat_file(std::int64_t pid, ReadBuffer& buffer);
  // A file of a process, e.g. "stat".
  std::optional<std::string_view> file(std::int64_t pid,
                                       const char* name,
                                       ReadBuffer& buffer,
                                       std::size_t limit = ReadBuffer::kWholeFile) const;
  // False if there is no such process (any more).
  bool read_one(Instant now,
                unsigned cpu_count,
                const Reading<std::uint64_t>& boot_seconds,
                ProcessReading& reading,
                ReadBuffer& buffer);
  void refresh_command(std::int64_t pid, Known& known, char state, Instant now, ReadBuffer& buffer) const;
  Counters read_counters(std::int64_t pid, Known& known, ReadBuffer& buffer) const;
  static void refresh_cpu(Known& known, std::uint64_t cpu_ticks, Instant now, unsigned cpu_count);
  void refresh_counters(std::int64_t pid, Known& known, Instant now, ReadBuffer& buffer) const;

  Descriptor proc_;
  ProcessTree tree_;
  UserNames users_;
  std::vector<std::int64_t> pids_;
  std::unordered_map<std::int64_t, Known> known_;
};

}  // namespace gputop::host
