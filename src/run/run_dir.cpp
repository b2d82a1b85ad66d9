#include "gputop/run/run_dir.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "gputop/core/format.hpp"
#include "gputop/run/process.hpp"
#include "gputop/base/files.hpp"
#include "run/record.hpp"
#include "run/run_files.hpp"

namespace gputop::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSocketName = sizeof "/abcdef/lens.socket";  // below the root

bool alive(const ProcessId& process) {
  return is_alive(process.pid, process.start_ticks);
}

Result<fs::path> private_directory(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return io_error(path.string());
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return io_error(path.string());
  if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 077) != 0) {
    return Error{Error::Kind::kPermission,
                 path.string() + ": must be a directory that belongs to you alone (chmod 700, or remove it)"};
  }
  return path;
}

// A directory without run.json may be one that is being created.
bool is_old(const fs::path& directory) {
  std::error_code error;
  const auto written = fs::last_write_time(directory, error);
  return !error && fs::file_time_type::clock::now() - written > std::chrono::minutes{1};
}

Result<RunRecord> read_record(const fs::path& directory) {
  std::ifstream file{directory / kRecordName};
  if (!file) return Error{Error::Kind::kNotFound, directory.string() + ": no " + kRecordName};
  return parse_record(std::string{std::istreambuf_iterator<char>{file}, {}});
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

fs::path lens_folder(const fs::path& run_directory) {
  return inside_run(run_directory, kLensFolderName);
}
fs::path lens_socket(const fs::path& run_directory) {
  return inside_run(run_directory, kLensSocketName);
}

namespace {

// Best first. Skips folders in which socket paths would be too long.
Roots possible_roots() {
  Roots roots;
  const auto add = [&](const fs::path& root) {
    if (root.native().size() + kLongestSocketName < sizeof(sockaddr_un::sun_path)) roots.push_back(root);
  };
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value == '/' ? fs::path{value} : fs::path{};
  };
  if (const auto only = variable("GPUTOP_RUNTIME_DIR"); !only.empty()) {
    add(only);
    return roots;
  }
  struct stat info {};
  const auto runtime = variable("XDG_RUNTIME_DIR");
  if (!runtime.empty() && ::stat(runtime.c_str(), &info) == 0 && info.st_uid == ::geteuid()) add(runtime / "gputop");
  add("/tmp/gputop-" + std::to_string(::geteuid()));
  auto state = variable("XDG_STATE_HOME");
  if (const auto home = variable("HOME"); state.empty() && !home.empty()) state = home / ".local/state";
  if (!state.empty()) add(state / "gputop/run");
  return roots;
}

}  // namespace

Result<fs::path> runtime_root() {
  std::optional<Error> first;
  for (const auto& root : possible_roots()) {
    std::error_code ignored;
    fs::create_directories(root.parent_path(), ignored);
    auto made = private_directory(root);
    if (made && ::access(root.c_str(), W_OK | X_OK) != 0) made = io_error(root.string());
    if (made) return made;
    if (!first) first = made.error();
  }
  return first.value_or(Error{Error::Kind::kNotFound, "no folder for the run's files"});
}

Roots runtime_roots() {
  auto roots = possible_roots();
  std::erase_if(roots, [](const fs::path& root) {
    std::error_code problem;
    return !fs::is_directory(fs::symlink_status(root, problem)) || !private_directory(root);
  });
  return roots;
}

namespace {

void add_runs(const fs::path& root, std::vector<ListedRun>& runs) {
  std::error_code error;
  for (fs::directory_iterator entry{root, error}, end; !error && entry != end; entry.increment(error)) {
    if (!entry->is_directory(error)) continue;
    const fs::path directory = entry->path();
    auto record = read_record(directory);
    if (!record && record.error().kind == Error::Kind::kNotFound && is_old(directory))
      remove_run_files(directory.c_str());
    if (!record) continue;  // or another version's: not ours to judge
    ListedRun run{.record = std::move(*record), .directory = directory};
    const bool job = alive(run.record.job);
    const auto& ours = run.record;
    if (alive(ours.holder) || alive(ours.spare) || alive(ours.keeper) || alive(ours.engine)) {
      run.state = job || run.record.job.pid == 0 ? RunState::kRunning : RunState::kEnding;
    } else if (job) {
      run.state = RunState::kAdrift;
    } else {
      remove_run_files(directory.c_str());
      continue;
    }
    runs.push_back(std::move(run));
  }
}

}  // namespace

std::vector<ListedRun> list_runs(const Roots& roots) {
  std::vector<ListedRun> runs;
  for (const auto& root : roots) add_runs(root, runs);
  std::sort(runs.begin(), runs.end(),
            [](const ListedRun& a, const ListedRun& b) { return a.record.started < b.record.started; });
  return runs;
}

std::vector<std::string> foreign_runs(const Roots& roots) {
  std::vector<std::string> ids;
  for (const auto& root : roots) {
    std::error_code error;
    for (fs::directory_iterator entry{root, error}, end; !error && entry != end; entry.increment(error)) {
      const auto record = read_record(entry->path());
      if (!record && record.error().kind == Error::Kind::kMismatch) ids.push_back(entry->path().filename().string());
    }
  }
  return ids;
}

namespace {

Error another_versions(const std::string& id) {
  return {Error::Kind::kMismatch,
          "run " + id + " was started by an incompatible gputop (" GPUTOP_VERSION "): use the version that started it"};
}

// If there are several, the ids to choose from, newest first.
Error ambiguous(const std::string& what, const std::vector<const ListedRun*>& runs) {
  constexpr std::size_t kShown = 8;
  std::string ids;
  for (std::size_t i = 0; i < std::min(runs.size(), kShown); ++i) {
    ids += (i == 0 ? "" : ", ") + runs[runs.size() - 1 - i]->record.id;
  }
  if (runs.size() > kShown) ids += ", …";
  return {Error::Kind::kInvalid,
          std::to_string(runs.size()) + " runs " + what + ": name one by its id (" + ids + "; see gputop ls)"};
}

}  // namespace

Result<ListedRun> find_run(const Roots& roots, const std::string& which) {
  const auto runs = list_runs(roots);
  const auto others = foreign_runs(roots);
  if (std::find(others.begin(), others.end(), which) != others.end()) return another_versions(which);
  if (runs.empty() && which.empty() && !others.empty()) return another_versions(others.front());
  if (runs.empty()) return Error{Error::Kind::kNotFound, "there is no live run (see gputop ls)"};
  const auto matching = [&](const auto& matches) {
    std::vector<const ListedRun*> found;
    for (const auto& run : runs) {
      if (matches(run.record)) found.push_back(&run);
    }
    return found;
  };
  const auto quoted = "\"" + printable(which) + "\"";
  for (const auto& [found, what] :
       {std::pair{matching([&](const RunRecord& run) { return run.id == which; }), std::string{}},
        std::pair{matching([&](const RunRecord& run) { return run.name == which; }), "are called " + quoted},
        std::pair{
            matching([&](const RunRecord& run) { return run.id.starts_with(which) || run.name.starts_with(which); }),
            which.empty() ? std::string{"are going on"} : "begin with " + quoted}}) {
    if (found.size() == 1) return *found.front();
    if (!found.empty()) return ambiguous(what, found);
  }
  return Error{Error::Kind::kNotFound, "there is no run " + quoted + " (see gputop ls)"};
}

}  // namespace gputop::run
