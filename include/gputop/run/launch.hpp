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
  int terminal = -1;           // a terminal in its normal mode whose line settings the job's terminal copies
  std::filesystem::path root;  // runtime_root(); "": the run has no files, and nobody can find it
  std::string name;            // for display; "" uses the command's
  std::size_t ring_bytes = std::size_t{16} << 20U;
  std::vector<std::pair<std::string, std::string>> environment;  // set for the job in addition to ours
  // Called with the run's own directory before anything is started; its result is set too.
  std::function<std::vector<std::pair<std::string, std::string>>(const std::filesystem::path&)> prepare;
  std::vector<std::string> engine_arguments;  // for every engine of this run
  bool keeps_input = false;                   // kPipes: later jobs get our stdin too
  Inherited inherited;                        // of main()
};

struct LaunchedRun {
  std::string id;
  std::filesystem::path directory;  // the engine's socket is created in it
  pid_t keeper = 0;
  pid_t holder = 0;  // the job's parent and our child: it exits with the job's exit code
  pid_t job = 0;
};

// kPty: the job runs under a new holder in its own session, our child; returns at once. kPipes: this process becomes
// the holder (same pid, group and session) and returns only with an error. Errors: kNotFound and kPermission concern
// the command, the others concern us: see launch_exit_code().
Result<LaunchedRun> launch(const LaunchRequest& request);

// Nothing was started, and the command is not at fault: it can still run without us.
bool is_our_failure(const Error& error);
// Replaces this process with it. Returns an exit code if that fails.
int run_plainly(std::vector<std::string> argv, const Inherited& inherited);

// The path of this program, to execute it again.
const char* self_path();

// As in shells: 127 not found, 126 not executable; 125 (as env and timeout) for a failure of our own.
int launch_exit_code(const Error& error);

}  // namespace gputop::run
