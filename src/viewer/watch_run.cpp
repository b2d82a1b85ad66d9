#include "gputop/viewer/watch_run.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>

#include "gputop/base/output.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// The job's parent is our child if we started it, and ends with the job's code: for a viewer that no engine tells.
std::atomic<pid_t> holder_pid{0};
std::atomic<int> holder_status{-1};

// Leaves no zombie if a child is killed.
void reap_children(int /*signal*/) {
  const int saved = errno;
  int status = 0;
  for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == holder_pid) holder_status = status;
  }
  errno = saved;
}

void watch_children(pid_t holder) {
  holder_pid = holder;
  struct sigaction reaps {};
  reaps.sa_handler = reap_children;
  reaps.sa_flags = SA_RESTART | SA_NOCLDSTOP;
  ::sigaction(SIGCHLD, &reaps, nullptr);
  reap_children(SIGCHLD);  // it may have ended already
}

// For a run that we started, whose job ended although no engine lived to say so. nullopt: it continues, or nobody
// knows.
std::optional<int> code_of_ended_run(pid_t job) {
  constexpr auto kLongest = 30s;  // for its keeper to give up on engines
  const auto until = std::chrono::steady_clock::now() + kLongest;
  while (holder_pid != 0 && holder_status == -1 && std::chrono::steady_clock::now() < until) {
    if (::kill(job, 0) == 0) return std::nullopt;
    ::usleep(20'000);
  }
  const int status = holder_status;
  return status != -1 && WIFEXITED(status) ? std::optional{WEXITSTATUS(status)} : std::nullopt;
}

}  // namespace

int watch_run(const std::string& socket, const ViewerOptions& options, bool demo, const run::LaunchedRun& started) {
  watch_children(started.holder);
  const auto farewell = run_viewer(socket, options);
  if (!farewell) {
    if (const auto code = code_of_ended_run(started.job)) {
      complain("the run exited with code " + std::to_string(*code) +
               "; gputop's engine was killed before it could report or record more");
      return *code;
    }
    return failed(farewell.error());
  }
  if (farewell->kind == Farewell::Kind::kDetached && farewell->text.empty() && !demo) {
    complain("detached by a signal; the run continues (gputop attach)");
  }
  if (!farewell->text.empty())
    std::fprintf(stderr, "%s%s", farewell->text.c_str(), farewell->text.ends_with('\n') ? "" : "\n");
  return farewell->exit_code;
}

}  // namespace gputop
