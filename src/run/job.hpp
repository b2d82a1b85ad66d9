// Starting the job: Boost.Process launches it; what it is born with is what gputop was born with.
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
  // It cannot be executed, as it could not without us. Else there was too little of something, and it is our start that
  // failed.
  [[nodiscard]] bool is_about_command() const;
};

struct JobRequest {
  const char* file = nullptr;   // resolved
  char* const* argv = nullptr;  // as the user typed it, ends with nullptr
  RunFds fds;
  Inherited inherited;
};

// What is needed to reach it once it runs.
struct JobHandle {
  pid_t pid = -1;
  int pidfd = -1;     // only of one that is not our child, whose pid may be recycled
  int terminal = -1;  // its master; -1: it shares our process group
};
// kTree is the keeper's: it alone knows the descendants.
void signal_job(const JobHandle& job, int signal, ControlMessage::Target target);

// In the new process, before exec: its terminal or its pipes, its signals. Async-signal-safe. Returns the call that
// failed (see errno), nullptr if none did.
const char* enter_job(const JobRequest& request, const SharedRun& shared);
// What runs a script without "#!", as execvp and every shell do: "/bin/sh FILE ARG…". Points into `file` and `argv`.
std::vector<char*> script_words(char* file, char* const* argv);

// Who runs now, and how it ended (wait_status -1: unknown), for the engine.
void note_start(SharedRun& shared, pid_t job);
// A signal to gputop that the job is meant to get, if it is one that people end runs with and neither of them was told
// to ignore (nohup). `from`: the process that sent it; 0: the terminal.
void note_passed_on(SharedRun& shared, int signal, pid_t from, const Inherited& inherited);
void note_end(SharedRun& shared, int wait_status, const rusage& usage);

// Its pid, or -1 with the report filled.
pid_t start_job(const JobRequest& request, SharedRun& shared, StartReport& report);

}  // namespace gputop::run
