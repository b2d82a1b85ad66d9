// The host and its processes, read from /proc, /sys and the control groups.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/source.hpp"

namespace gputop {

// Where to look; the defaults are those of this machine.
struct HostOptions {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string cgroup = "/sys/fs/cgroup";
  std::string shm = "/dev/shm";
  // How many CPUs this process may run on; empty: ask the kernel.
  std::function<Reading<unsigned>()> affinity;
  // The name of a user, "" if there is none; empty: ask the system. May be slow: called on its own thread.
  std::function<std::string(std::uint64_t uid)> user_name;
};

// Each tick emits one HostSampled and one ProcessesSampled, from within tick().
class HostSource : public Source {
 public:
  // Which processes the next ticks report: each of `pids`, and each of `tree_roots` with all its descendants. A
  // descendant is still followed after its parent dies. Call from the same thread as tick().
  virtual void watch(std::vector<std::int64_t> pids, std::vector<std::int64_t> tree_roots) = 0;
  // Makes the next tick read everything, including what is usually read rarely: after a kill, the kernel's counters
  // tell whether memory ran out.
  virtual void tick_all(Instant now) = 0;
};

std::unique_ptr<HostSource> make_host_source(HostOptions options = {});

}  // namespace gputop
