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

// A separate PID namespace has other process ids than the driver; hidepid hides other users' processes.
Reading<bool> sees_host_processes(const Files& files) {
  constexpr std::string_view kFirstNamespace = "pid:[4026531836]";  // fixed since Linux 3.8
  std::error_code error;
  const auto space = std::filesystem::read_symlink(files.below_root("/proc/self/ns/pid"), error);
  if (error) return std::nullopt;
  return space.string() == kFirstNamespace && files.exists("/proc/1/comm");
}

Reading<unsigned> count_nvidia(const Files& files) {
  constexpr std::string_view kDevices = "/sys/bus/pci/devices";
  if (!files.exists(kDevices)) return std::nullopt;
  unsigned count = 0;
  for (const auto& name : files.names(kDevices)) {
    const std::string folder = std::string{kDevices} + "/" + name;
    const auto kind = files.text(folder + "/class").value_or("");
    const bool computes = kind.starts_with("0x03") || kind.starts_with("0x12");
    if (computes && files.text(folder + "/vendor").value_or("") == "0x10de") ++count;
  }
  return count;
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
  machine.host_processes = sees_host_processes(files);
  machine.nvidia_devices = count_nvidia(files);
  machine.cuda_compat =
      files.exists("/usr/local/cuda/compat/libcuda.so.1") || files.exists("/usr/local/cuda/lib64/compat/libcuda.so.1");
}

}  // namespace gputop::doctor
