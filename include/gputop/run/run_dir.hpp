// Where runs are found: one private directory per run with a small run.json, and the engine's socket next to it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"
#include "gputop/run/shared_run.hpp"

namespace gputop::run {

struct ProcessId {
  pid_t pid = 0;                  // 0: none
  std::uint64_t start_ticks = 0;  // distinguishes it from a later process with the same pid
};

struct RunRecord {
  std::string id;
  std::string name;
  std::string cwd;
  std::vector<std::string> argv;
  std::vector<std::string> engine_arguments;
  std::string gputop_version;
  WallTime started{};
  Mode mode = Mode::kPty;
  ProcessId holder{};
  ProcessId spare{};  // takes over from the holder
  ProcessId keeper{};
  ProcessId engine{};
  ProcessId job{};
  std::string ended_by;  // who asked it to end; "" if nobody has
};

// "gputop stop", "the screen" …; "" for nobody.
std::string to_string(EndAsker asker);

enum class RunState {
  kRunning,
  kEnding,  // the job is gone, gputop is finishing
  kAdrift,  // the job runs without gputop, whose processes were all killed: nothing holds its terminal or its pipes any
            // more
};
std::string to_string(RunState state);

struct ListedRun {
  RunRecord record;
  RunState state = RunState::kRunning;
  std::filesystem::path directory;

  [[nodiscard]] std::filesystem::path socket() const;
};

// Of the PyTorch lens, inside a run's directory.
std::filesystem::path lens_folder(const std::filesystem::path& run_directory);
std::filesystem::path lens_socket(const std::filesystem::path& run_directory);

// Where a new run is listed: the first of $XDG_RUNTIME_DIR/gputop, /tmp/gputop-UID and ~/.local/state/gputop/run that
// can be created and is private to us (0700). The error says why the first is not used.
Result<std::filesystem::path> runtime_root();

// All of these that exist: where runs may be.
using Roots = std::vector<std::filesystem::path>;
Roots runtime_roots();

// All runs of this user, oldest first. Removes what crashes left behind.
std::vector<ListedRun> list_runs(const Roots& roots);

// Ids of runs whose run.json has another version's format, which this version does not read.
std::vector<std::string> foreign_runs(const Roots& roots);

// The run with this id or name, or the one whose id or name begins with it; the only one if `which` is "". kInvalid:
// there are several. kMismatch: it belongs to another version.
Result<ListedRun> find_run(const Roots& roots, const std::string& which);

}  // namespace gputop::run
