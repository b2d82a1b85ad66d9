// One reading of the host and its processes. Plain values; unknown is nullopt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

// Pressure stall information: share of the last 10 s in which some / all tasks waited.
struct Pressure {
  Reading<Percent> some;
  Reading<Percent> full;

  bool operator==(const Pressure&) const = default;
};

struct DiskReading {
  std::string name;
  Reading<BytesPerSecond> read;
  Reading<BytesPerSecond> write;
  Reading<Percent> busy;

  bool operator==(const DiskReading&) const = default;
};

struct NetworkReading {
  std::string name;
  Reading<BytesPerSecond> receive;
  Reading<BytesPerSecond> transmit;

  bool operator==(const NetworkReading&) const = default;
};

// The control group gputop runs in: the limits of a container.
struct CgroupReading {
  int version = 0;  // 0: none found, 1 or 2
  Reading<Bytes> memory_limit;
  Reading<Bytes> memory_used;
  Reading<double> cpu_limit;         // cores
  Reading<Percent> throttled;        // share of the last interval's periods that were throttled
  Reading<std::uint64_t> oom_kills;  // since the group was created

  bool operator==(const CgroupReading&) const = default;
};

struct HostReading {
  std::string hostname;
  unsigned cpu_count = 0;
  Reading<double> usable_cpus;  // affinity ∩ cgroup quota
  Reading<Percent> cpu;         // of all cores; unknown at the first reading
  Reading<Percent> io_wait;
  std::vector<Reading<Percent>> cores;
  Reading<double> load1;
  Reading<double> load5;
  Reading<double> load15;
  Pressure cpu_pressure;
  Pressure memory_pressure;
  Pressure io_pressure;
  Reading<Bytes> memory_total;
  Reading<Bytes> memory_used;  // total − available
  Reading<Bytes> swap_total;
  Reading<Bytes> swap_used;
  Reading<Bytes> shm_total;  // /dev/shm
  Reading<Bytes> shm_used;
  std::vector<DiskReading> disks;
  std::vector<NetworkReading> networks;
  CgroupReading cgroup;
  Reading<std::uint64_t> oom_kills;  // whole machine, since boot

  bool operator==(const HostReading&) const = default;
};

struct ProcessReading {
  std::int64_t pid = 0;
  std::int64_t parent = 0;
  std::int64_t root = 0;  // the watched process this one descends from (or is)
  Reading<WallTime> started;
  Reading<std::uint64_t> uid;
  std::string user;
  std::string command;  // full command line, control characters replaced
  char state = '?';     // from /proc: R S D Z T …
  Reading<unsigned> threads;
  Reading<Percent> cpu;  // 100 = one core
  Reading<Duration> cpu_time;
  Reading<Bytes> resident;
  Reading<BytesPerSecond> read;  // from disk
  Reading<BytesPerSecond> write;
  Reading<BytesPerSecond> asked;         // by read(2): from disk, the page cache or pipes
  Reading<double> involuntary_switches;  // per second

  bool operator==(const ProcessReading&) const = default;
};

}  // namespace gputop
