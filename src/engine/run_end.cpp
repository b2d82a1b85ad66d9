// How a job ended, in words: what happened, and who caused it.
#include <signal.h>
#include <sys/wait.h>

#include <chrono>

#include "engine/run_feed.hpp"
#include "gputop/base/signal_name.hpp"

namespace gputop {
namespace {

// Signals that a process causes itself.
bool is_own_fault(int number) {
  return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGTRAP || number == SIGSYS || number == SIGPIPE;
}

// Who asked it to end, and with which signal. Unknown: "" and 0.
struct Ender {
  std::string who;
  int signal = 0;

  // " from gputop stop", ", asked to end by SIGTERM from gputop stop": what it did after that is its own decision.
  [[nodiscard]] std::string from() const { return who.empty() ? "" : " from " + who; }
  [[nodiscard]] std::string asked() const {
    return who.empty() ? "" : ", asked to end by " + signal_name(signal) + from();
  }
};

// How long a job that catches the signal may take to save its work. If it ends later than that, the signal is not the
// cause.
constexpr std::chrono::nanoseconds kToCleanUp = std::chrono::seconds{60};

// Whether that signal, sent at that time, is why it ended.
bool is_cause(const run::JobStatus& status, int signal, std::int64_t sent_ns, std::optional<int> killed_by) {
  const std::chrono::nanoseconds took{status.ended_monotonic_ns.value_or(sent_ns) - sent_ns};
  return took.count() >= 0 && (killed_by ? *killed_by == signal : took <= kToCleanUp);
}

Ender ender_of(const run::JobStatus& status, std::optional<int> killed_by, const Sender& sender) {
  const bool asked = status.end_asker != run::EndAsker::kNobody;
  if (asked && is_cause(status, status.end_signal, status.end_asked_ns, killed_by))
    return {to_string(status.end_asker), status.end_signal};
  if (status.passed_on != 0 && is_cause(status, status.passed_on, status.passed_on_ns, killed_by)) {
    if (status.passed_on_from == 0) return {"the terminal", status.passed_on};
    if (const auto known = sender ? sender(status.passed_on_from) : std::nullopt) return {*known, status.passed_on};
    return {"process " + std::to_string(status.passed_on_from) + " (sent to gputop)", status.passed_on};
  }
  if (killed_by && !is_own_fault(*killed_by)) return {"a process outside gputop", *killed_by};
  return {};
}

}  // namespace

RunEnded run_end_of(const run::JobStatus& status, const Sender& sender) {
  RunEnded end;
  const auto raw = status.wait_status;
  if (raw && WIFSIGNALED(*raw)) end.signal = WTERMSIG(*raw);
  const auto ender = ender_of(status, end.signal, sender);
  end.by = ender.who;
  if (!status.launch_problem.empty()) {
    end.signal.reset();  // of the previous job
    end.exit_code = status.exit_code;
    end.text = "was not restarted: " + status.launch_problem;
  } else if (!raw) {
    end.text = "ended" + ender.asked() + " (exit status unknown: its keeper was killed)";
  } else if (end.signal) {
    end.exit_code = status.exit_code;
    end.text = "was killed by " + signal_name(*end.signal) + ender.from();
  } else {
    end.exit_code = status.exit_code;
    end.text =
        (WEXITSTATUS(*raw) == 0 ? "finished" : "exited with code " + std::to_string(WEXITSTATUS(*raw))) + ender.asked();
  }
  return end;
}

}  // namespace gputop
