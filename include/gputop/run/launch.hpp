// Starting a run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/run/inherited.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/run/shared_run.hpp"

namespace gputop::run {

struct LaunchRequest {
  std::vector<std::string> argv;  // the job, as typed
  Mode mode = Mode::kPty;
  unsigned rows = 24;
  unsigned columns = 80;
  int terminal = -1;           // a terminal in its normal mode whose line settings the job's should have
  std::filesystem::path root;  // runtime_root(); "": the run has no files, nobody finds it
  std::string name;            // for people; "" takes the command's
  std::size_t ring_bytes = std::size_t{16} << 20U;
  std::vector<std::pair<std::string, std::string>> environment;  // set for the job on top of ours
  // Called with the run's own directory before anything is started; what it returns is set, too.
  std::function<std::vector<std::pair<std::string, std::string>>(const std::filesystem::path&)> prepare;
  std::vector<std::string> engine_arguments;  // for every engine of this run
  bool keeps_input = false;                   // kPipes: our stdin is also for jobs after the first
  Inherited inherited;                        // of main()
};

struct LaunchedRun {
  std::string id;
  std::filesystem::path directory;  // the engine's socket will be in it
  pid_t keeper = 0;
  pid_t holder = 0;                 // the job's parent, and our child: it ends with the job's exit code
  pid_t job = 0;
};

// kPty: the job runs under a new holder in a session of its own, our child; returns at once.
// kPipes: this process becomes the holder (same pid, group and session) and never returns, unless with an error.
// Errors: kNotFound and kPermission are about the command, the rest about us: see launch_exit_code().
Result<LaunchedRun> launch(const LaunchRequest& request);

// Nothing was started, and that is not the command's fault: it can still be run without us.
bool is_our_failure(const Error& error);
// It takes the place of this process. Returns an exit code if that fails.
int run_plainly(std::vector<std::string> argv, const Inherited& inherited);

// This program's own file, to be executed again.
const char* self_path();

// As shells do: 127 not found, 126 not executable; 125 (as env and timeout) for a failure of our own.
int launch_exit_code(const Error& error);

}  // namespace gputop::run
