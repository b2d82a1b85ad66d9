// The host and the processes on it, read from /proc, /sys and the control groups.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/source.hpp"

namespace gputop {

// Where to look; the defaults are the machine gputop runs on.
struct HostOptions {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string cgroup = "/sys/fs/cgroup";
  std::string shm = "/dev/shm";
  // How many CPUs this process may run on; empty: ask the kernel.
  std::function<Reading<unsigned>()> affinity;
  // The name of a user, "" when there is none; empty: ask the system. May be slow: called on a thread of its own.
  std::function<std::string(std::uint64_t uid)> user_name;
};

// Each tick emits one HostSampled and one ProcessesSampled, from within tick().
class HostSource : public Source {
 public:
  // Which processes the next ticks report: each of `pids`, and every descendant of each of `tree_roots` (which are
  // reported too). A descendant stays followed when its parent dies before it. Same thread as tick().
  virtual void watch(std::vector<std::int64_t> pids, std::vector<std::int64_t> tree_roots) = 0;
  // A tick that reads everything, also what is else read seldom: a run was killed, and the kernel's counters say
  // whether for want of memory.
  virtual void tick_all(Instant now) = 0;
};

std::unique_ptr<HostSource> make_host_source(HostOptions options = {});

}  // namespace gputop
