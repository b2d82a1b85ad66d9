#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

Reading<std::uint64_t> finite(rlim_t limit) {
  return limit == RLIM_INFINITY ? std::nullopt : Reading<std::uint64_t>{limit};
}

void read_limits(LimitFacts& limits) {
  rlimit files{};
  rlimit locked{};
  rlimit processes{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || getrlimit(RLIMIT_MEMLOCK, &locked) != 0 ||
      getrlimit(RLIMIT_NPROC, &processes) != 0)
    return;
  limits.open_files = finite(files.rlim_cur);
  limits.open_files_hard = finite(files.rlim_max);
  limits.locked_bytes = finite(locked.rlim_cur);
  limits.processes = finite(processes.rlim_cur);
  limits.known = true;
}

bool in_container(const Files& files) {
  if (files.exists("/.dockerenv") || files.exists("/run/.containerenv")) return true;
  const auto first = files.text("/proc/1/cgroup").value_or("");
  for (const auto* word : {"docker", "kubepods", "containerd", "lxc", "libpod"}) {
    if (first.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

void probe_system(const Files& files, Machine& machine) {
  read_limits(machine.limits);
  machine.container = in_container(files) || machine.environment.count("container") > 0;
  machine.uid = geteuid();
  machine.root = machine.uid == 0;
  timex clock{};
  if (const int state = adjtimex(&clock); state >= 0)
    machine.clock_synchronized = state != TIME_ERROR && (clock.status & STA_UNSYNC) == 0;
  if (files.exists("/sys/class")) machine.iommu_on = !files.names("/sys/class/iommu").empty();
  if (const auto command = files.text("/proc/cmdline")) {
    machine.iommu_passthrough =
        command->find("iommu=pt") != std::string::npos || command->find("iommu.passthrough=1") != std::string::npos;
  }
}

}  // namespace gputop::doctor
