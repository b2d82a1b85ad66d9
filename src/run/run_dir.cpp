#include "gputop/run/run_dir.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gputop/core/format.hpp"
#include "gputop/run/process.hpp"
#include "run/errors.hpp"
#include "run/record.hpp"
#include "run/run_files.hpp"

namespace gputop::run {
namespace {

namespace fs = std::filesystem;

bool alive(const ProcessId& process) {
  return is_alive(process.pid, process.start_ticks);
}

Result<fs::path> private_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return system_error(path.string());
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return system_error(path.string());
  if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Error{Error::Kind::kPermission,
                 path.string() + ": must be a directory that belongs to you alone (chmod 700, or remove it)"};
  }
  return path;
}

// A directory without run.json may be one that is just being made.
bool is_old(const fs::path& directory) {
  std::error_code error;
  const auto written = fs::last_write_time(directory, error);
  return !error && fs::file_time_type::clock::now() - written > std::chrono::minutes{1};
}

}  // namespace

std::string to_string(RunState state) {
  switch (state) {
    case RunState::kRunning: return "running";
    case RunState::kEnding: return "ending";
    case RunState::kAdrift: return "adrift";
  }
  return "";
}

std::string to_string(EndAsker asker) {
  switch (asker) {
    case EndAsker::kNobody: return "";
    case EndAsker::kStopCommand: return "gputop stop";
    case EndAsker::kScreen: return "the screen";
    case EndAsker::kScreenInterrupt: return "Ctrl-C on the screen";
    case EndAsker::kDemo: return "the end of the demo";
    case EndAsker::kRelaunch: return "a relaunch";
  }
  return "";
}

fs::path ListedRun::socket() const {
  return directory / kSocketName;
}

fs::path lens_folder(const fs::path& run_directory) { return run_directory / kLensFolderName; }
fs::path lens_socket(const fs::path& run_directory) { return run_directory / kLensSocketName; }

Result<fs::path> runtime_root() {
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/') {
    struct stat info {};
    if (::stat(runtime, &info) == 0 && info.st_uid == ::geteuid())
      return private_directory(fs::path{runtime} / "gputop");
  }
  return private_directory("/tmp/gputop-" + std::to_string(::geteuid()));
}

std::vector<ListedRun> list_runs(const fs::path& root) {
  std::vector<ListedRun> runs;
  std::error_code error;
  for (fs::directory_iterator entry{root, error}, end; !error && entry != end; entry.increment(error)) {
    if (!entry->is_directory(error)) continue;
    const fs::path directory = entry->path();
    std::ifstream file{directory / kRecordName};
    if (!file) {
      if (is_old(directory)) remove_run_files(directory.c_str());
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto record = parse_record(text);
    if (!record) continue;  // another version's: not ours to judge
    ListedRun run{.record = std::move(*record), .directory = directory};
    const bool job = alive(run.record.job);
    if (alive(run.record.keeper) || alive(run.record.engine)) {
      run.state = job || run.record.job.pid == 0 ? RunState::kRunning : RunState::kEnding;
    } else if (job) {
      run.state = RunState::kAdrift;
    } else {
      remove_run_files(directory.c_str());
      continue;
    }
    runs.push_back(std::move(run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const ListedRun& a, const ListedRun& b) { return a.record.started < b.record.started; });
  return runs;
}

Result<ListedRun> find_run(const fs::path& root, const std::string& which) {
  const auto runs = list_runs(root);
  if (runs.empty()) return Error{Error::Kind::kNotFound, "no run is going on (see gputop ls)"};
  if (which.empty() && runs.size() > 1) {
    return Error{Error::Kind::kInvalid, std::to_string(runs.size()) + " runs are going on: name one (see gputop ls)"};
  }
  const auto found = std::find_if(runs.rbegin(), runs.rend(), [&](const ListedRun& run) {
    return which.empty() || run.record.id == which || run.record.name == which;
  });
  if (found == runs.rend()) {
    return Error{Error::Kind::kNotFound, "no run is called \"" + printable(which) + "\" (see gputop ls)"};
  }
  return *found;
}

}  // namespace gputop::run
