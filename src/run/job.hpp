// Starts the job through Boost.Process; the job inherits exactly what gputop inherited.
#pragma once

#include <sys/resource.h>

#include <array>
#include <vector>

#include "gputop/run/inherited.hpp"
#include "gputop/run/shared_run.hpp"
#include "run/fds.hpp"

namespace gputop::run {

// keeper → starter, one write: how the start went.
struct StartReport {
  int error = 0;  // errno; 0: started
  std::array<char, 96> what{};

  bool fail(const char* call);  // with errno; always false
  // It cannot be executed, with or without us. Otherwise some resource was missing, and our own start failed.
  [[nodiscard]] bool is_about_command() const;
};

struct JobRequest {
  const char* file = nullptr;   // resolved
  char* const* argv = nullptr;  // as the user typed it, ends with nullptr
  RunFds fds;
  Inherited inherited;
};

// What is needed to reach it while it runs.
struct JobHandle {
  pid_t pid = -1;
  int pidfd = -1;     // only for one that is not our child, whose pid may be recycled
  int terminal = -1;  // its master; -1: it shares our process group
};
// Only the keeper can handle kTree, because it knows the descendants.
void signal_job(const JobHandle& job, int signal, ControlMessage::Target target);

// In the new process, before exec: sets up its terminal or pipes and its signals. Async-signal-safe. Returns the call
// that failed (see errno), or nullptr.
const char* enter_job(const JobRequest& request, const SharedRun& shared);
// Runs a script without "#!", as execvp and every shell do: "/bin/sh FILE ARG…". Points into `file` and `argv`.
std::vector<char*> script_words(char* file, char* const* argv);

// The current process, and how it ended (wait_status -1: unknown), for the engine.
void note_start(SharedRun& shared, pid_t job);
// In the process that becomes the job after launch `number`. False: another one has; a keeper that was killed just after
// its fork and the keeper after it may both have started one.
[[nodiscard]] bool claim_launch(SharedRun& shared, std::uint32_t number);
// A signal to gputop that is meant for the job, if people use it to end runs and neither process was told to ignore it
// (nohup). `from`: the process that sent it; 0: the terminal.
void note_passed_on(SharedRun& shared, int signal, pid_t from, const Inherited& inherited);
void note_end(SharedRun& shared, int wait_status, const rusage& usage);

// Its pid, or -1 with the report filled in.
pid_t start_job(const JobRequest& request, SharedRun& shared, StartReport& report);

}  // namespace gputop::run
