#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

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

// The folders of this process's control group that may limit its processes: its own, then those above it. Inside a container
// the path may be the host's; then only the mount's root exists.
std::vector<std::string> process_groups(const Files& files) {
  const auto membership = files.text("/proc/self/cgroup").value_or("");
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin < membership.size();) {
    const auto end = std::min(membership.find('\n', begin), membership.size());
    const std::string line = membership.substr(begin, end - begin);
    begin = end + 1;
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    if (controllers != "pids" && !controllers.empty()) continue;
    const std::string mount = controllers.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    for (auto path = line.substr(second + 1); path.size() > 1; path.erase(path.rfind('/'))) {
      if (path.front() != '/' || path.find("..") != std::string::npos) break;
      folders.push_back(mount + path);
    }
    folders.push_back(mount);
  }
  return folders;
}

Reading<std::uint64_t> group_processes(const Files& files) {
  Reading<std::uint64_t> least;
  for (const auto& folder : process_groups(files)) {
    const auto text = files.text(folder + "/pids.max").value_or("");
    std::uint64_t limit = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), limit).ec != std::errc{}) continue;  // "max"
    least = std::min(least.value_or(limit), limit);
  }
  return least;
}

// The first PID namespace, whose number is fixed since Linux 3.8. nullopt: it cannot be seen.
Reading<bool> in_first_namespace(const Files& files) {
  constexpr std::string_view kFirst = "pid:[4026531836]";
  std::error_code error;
  const auto space = std::filesystem::read_symlink(files.below_root("/proc/self/ns/pid"), error);
  return error ? Reading<bool>{} : Reading<bool>{space.string() == kFirst};
}

bool root_is_overlay(const Files& files) {
  const auto mounts = files.text("/proc/self/mountinfo").value_or("");
  const auto root = mounts.find(" / / ");
  return root != std::string::npos && mounts.substr(root, mounts.find('\n', root) - root).find(" - overlay ") != std::string::npos;
}

// A machine's image may be made of a container's and still have its mark: then the process ids and the disk are the machine's.
bool in_container(const Files& files, const Machine& machine) {
  const auto says = [&](const char* name) { return machine.environment.count(name) > 0; };
  if (says("container") || says("KUBERNETES_SERVICE_HOST") || says("APPTAINER_CONTAINER") || says("SINGULARITY_CONTAINER")) return true;
  const auto first = files.text("/proc/1/cgroup").value_or("");
  for (const auto* word : {"docker", "kubepods", "containerd", "lxc", "libpod"}) {
    if (first.find(word) != std::string::npos) return true;
  }
  const bool marked = files.exists("/.dockerenv") || files.exists("/run/.containerenv");
  return marked && (in_first_namespace(files) != true || root_is_overlay(files));
}

// A separate PID namespace has other process ids than the driver; hidepid hides other users' processes.
Reading<bool> sees_host_processes(const Files& files) {
  const auto first = in_first_namespace(files);
  if (!first) return std::nullopt;
  return *first && files.exists("/proc/1/comm");
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
  if (machine.limits.known) machine.limits.group_processes = group_processes(files);
  machine.container = in_container(files, machine);
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
