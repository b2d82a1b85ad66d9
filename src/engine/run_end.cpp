// How a job ended, in words: what it did, and who wanted it to.
#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "gputop/engine/run_feed.hpp"

namespace gputop {
namespace {

std::string signal_name(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name ? "SIG" + std::string{name} : "signal " + std::to_string(number);
}

// Signals a process brings upon itself.
bool is_own_fault(int number) {
  return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGTRAP || number == SIGSYS || number == SIGPIPE;
}

// Who wanted it to end. "": nobody that is known.
std::string who_ended(const run::JobStatus& status, std::optional<int> killed_by) {
  if (status.end_asker != run::EndAsker::kNobody) return to_string(status.end_asker);
  if (status.passed_on != 0 && (!killed_by || *killed_by == status.passed_on || *killed_by == SIGKILL)) {
    if (status.passed_on_from == 0) return signal_name(status.passed_on) + " of the terminal";
    return signal_name(status.passed_on) + " sent to gputop by process " + std::to_string(status.passed_on_from);
  }
  return killed_by && !is_own_fault(*killed_by) ? "somebody outside gputop" : "";
}

}  // namespace

RunEnded run_end_of(const run::JobStatus& status) {
  RunEnded end;
  if (!status.launch_problem.empty()) {
    end.exit_code = status.exit_code;
    end.text = "was not started again: " + status.launch_problem;
    end.by = to_string(status.end_asker);
    return end;
  }
  if (!status.wait_status) {
    end.text = "ended; nobody was there to see how";
    end.by = to_string(status.end_asker);
    return end;
  }
  end.exit_code = status.exit_code;
  const int raw = *status.wait_status;
  if (WIFSIGNALED(raw)) {
    end.signal = WTERMSIG(raw);
    end.by = who_ended(status, WTERMSIG(raw));
    end.text = "was killed by " + signal_name(WTERMSIG(raw)) + (end.by.empty() ? "" : ": " + end.by);
    return end;
  }
  end.by = who_ended(status, std::nullopt);
  end.text = WEXITSTATUS(raw) == 0 ? "finished" : "exited with code " + std::to_string(WEXITSTATUS(raw));
  if (!end.by.empty()) end.text += " after " + end.by;
  return end;
}

}  // namespace gputop
