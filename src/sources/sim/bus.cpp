#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/sources/sim_bus.hpp"

namespace gputop {
namespace {

constexpr std::string_view kSuffix = ".json";
constexpr std::size_t kLargestFile = 16U << 10U;  // an entry is about 1 KiB; anything larger is not one

std::optional<std::string> read_small_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)};
  return file ? read_whole(file.get(), kLargestFile) : std::nullopt;
}

// The process's start time in ticks since boot; nullopt: there is no such process.
std::optional<std::uint64_t> start_ticks_of(std::int64_t pid) {
  const auto stat = read_small_file("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return std::nullopt;
  // The name may contain anything, so fields are counted from its last parenthesis; the start time is the 20th after
  // it.
  auto at = stat->rfind(')');
  for (int field = 0; field < 20 && at != std::string::npos; ++field) at = stat->find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t ticks = 0;
  const auto* first = stat->data() + at + 1;
  if (std::from_chars(first, stat->data() + stat->size(), ticks).ec != std::errc{}) return std::nullopt;
  return ticks;
}

// Other users must not be able to create files in it.
Status check_private(const std::string& directory) {
  struct stat info {};
  if (::lstat(directory.c_str(), &info) != 0) return os_error("simulation bus " + directory);
  if (!S_ISDIR(info.st_mode)) {
    return Error{Error::Kind::kInvalid,
                 "simulation bus " + directory + ": not a directory (set GPUTOP_SIM_BUS to one)"};
  }
  if (info.st_uid != ::geteuid() || (info.st_mode & 022U) != 0) {
    return Error{Error::Kind::kPermission, "simulation bus " + directory +
                                               ": others may write to it (make it yours alone: chmod 700, or set "
                                               "GPUTOP_SIM_BUS to a directory that is)"};
  }
  return success();
}

Status make_private(const std::string& directory) {
  const auto slash = directory.rfind('/');
  if (slash != std::string::npos && slash > 0) {
    const auto parent = directory.substr(0, slash);
    if (::access(parent.c_str(), F_OK) != 0) {
      if (const auto made = make_private(parent); !made) return made;
    }
  }
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return os_error("make " + directory);
  return check_private(directory);
}

std::optional<std::int64_t> pid_in_name(std::string_view name) {
  if (!name.ends_with(kSuffix)) return std::nullopt;
  name.remove_suffix(kSuffix.size());
  std::int64_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc{} || end != name.data() + name.size() || pid <= 0) return std::nullopt;
  return pid;
}

// The run in one file, or nullopt; removes a file whose process is gone.
std::optional<SimRun> read_entry(const std::string& path, std::int64_t pid) {
  const auto text = read_small_file(path);
  const auto ticks = start_ticks_of(pid);
  if (!ticks) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  if (!text) return std::nullopt;
  auto run = sim_run_from_json(*text);
  if (!run || run->pid != pid) return std::nullopt;  // leave it: the process lives and may write again
  if (run->start_ticks != *ticks) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  return std::move(*run);
}

}  // namespace

std::string sim_bus_directory() {
  if (const char* own = std::getenv("GPUTOP_SIM_BUS"); own != nullptr && *own != '\0') return own;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/') {
    // A variable left over from another login must not split the simulation: both sides fall back in the same way.
    if (::access(runtime, W_OK | X_OK) == 0) return std::string{runtime} + "/gputop/sim";
  }
  return "/tmp/gputop-sim-" + std::to_string(::geteuid());
}

Result<std::vector<SimRun>> read_sim_bus(const std::string& directory) {
  std::vector<SimRun> runs;
  if (::access(directory.c_str(), F_OK) != 0 && errno == ENOENT) return runs;
  if (const auto safe = check_private(directory); !safe) return safe.error();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries{::opendir(directory.c_str()), ::closedir};
  if (!entries) return os_error("simulation bus " + directory);
  while (const auto* entry = ::readdir(entries.get())) {
    const auto pid = pid_in_name(entry->d_name);
    if (!pid) continue;
    if (auto run = read_entry(directory + "/" + entry->d_name, *pid)) runs.push_back(std::move(*run));
  }
  std::sort(runs.begin(), runs.end(), [](const SimRun& a, const SimRun& b) {
    return std::pair{a.start_ticks, a.pid} < std::pair{b.start_ticks, b.pid};
  });
  return runs;
}

SimBusEntry::SimBusEntry(std::string directory) : pid_(::getpid()), start_ticks_(start_ticks_of(pid_).value_or(0)) {
  path_ = directory + "/" + std::to_string(pid_) + std::string{kSuffix};
  next_path_ = directory + "/." + std::to_string(pid_) + ".next";
}

Result<std::unique_ptr<SimBusEntry>> SimBusEntry::open(const std::string& directory) {
  if (const auto made = make_private(directory); !made) return made.error();
  return std::unique_ptr<SimBusEntry>{new SimBusEntry{directory}};
}

SimBusEntry::~SimBusEntry() {
  ::unlink(next_path_.c_str());
  ::unlink(path_.c_str());
}

Status SimBusEntry::publish(SimRun run) {
  run.pid = pid_;
  run.start_ticks = start_ticks_;
  return replace_file(path_, to_json(run), {.temporary = next_path_});
}

}  // namespace gputop
