#include "run/job.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>  // Boost 1.74's asio/awaitable.hpp uses std::exchange without it
#include <vector>

#if __has_include(<boost/process/v1/child.hpp>)  // 1.86 and later keep v1 in its own folder
#include <boost/process/v1/args.hpp>
#include <boost/process/v1/child.hpp>
#include <boost/process/v1/error.hpp>
#include <boost/process/v1/exe.hpp>
#include <boost/process/v1/extend.hpp>
namespace bp = boost::process::v1;
#else
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
namespace bp = boost::process;
#endif

#include "gputop/run/process.hpp"
#include "run/clocks.hpp"
#include "run/record.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

std::array<char, 8> shell{"/bin/sh"};

const char* enter_terminal(const JobRequest& request) {
  const int slave = request.fds.job_end[0];
  if (sys("setsid", [] { return ::setsid(); }) < 0) return "setsid";
  if (sys("TIOCSCTTY", [&] { return ::ioctl(slave, TIOCSCTTY, 0); }) < 0) return "ioctl(TIOCSCTTY)";
  const bool own_stdin = request.fds.user_input >= 0 || request.inherited.closed[0];
  for (int fd = own_stdin ? 1 : 0; fd < 3; ++fd) {
    if (sys("dup2", [&] { return ::dup2(slave, fd); }) < 0) return "dup2";
  }
  return nullptr;
}

const char* enter_pipes(const JobRequest& request) {
  for (int stream = 0; stream < 2; ++stream) {
    const int end = request.fds.job_end[static_cast<std::size_t>(stream)];
    if (end < 0) continue;  // was closed: close-on-exec closes it again
    if (sys("dup2", [&] { return ::dup2(end, stream + 1); }) < 0) return "dup2";
  }
  return nullptr;
}

// In the job's own process, before its first instruction: from then on the run can be found, whatever is killed. The
// parent has no threads, so allocating is allowed here. If there is no place for it, the job just runs.
void list_as_running(SharedRun& shared) {
  note_start(shared, ::getpid());
  if (shared.directory[0] == '\0') return;
  try {
    [[maybe_unused]] const auto listed = write_record(current_record(shared), shared.directory.data());
  } catch (const std::exception&) {
    return;
  }
}

// Boost.Process initializer. Its hooks run in the child between fork and exec: async-signal-safe calls only. Failures
// go through our own pipe, because v1 reads its pipe in two halves, which may be torn.
struct BirthRight : bp::extend::handler {
  const JobRequest* request = nullptr;
  SharedRun* shared = nullptr;
  int failure_pipe = -1;
  char* const* shell_argv = nullptr;

  [[noreturn]] void fail(const char* what) const {
    StartReport report;
    report.fail(what);
    [[maybe_unused]] const auto written = ::write(failure_pipe, &report, sizeof report);
    ::_exit(127);
  }

  template <class Executor>
  void on_exec_setup(Executor& executor) const {
    list_as_running(*shared);
    if (const char* failed = enter_job(*request, *shared)) fail(failed);
    executor.cmd_line = request->argv;  // argv[0] as typed, not the file found
    if (sys("execve", [] { return 0; }) < 0) fail("execve");
  }

  template <class Executor>
  void on_exec_error(Executor& executor, const std::error_code& error) const {
    if (error.value() == ENOEXEC) ::execve(shell.data(), shell_argv, executor.env);
  }
};

}  // namespace

const char* enter_job(const JobRequest& request, const SharedRun& shared) {
  const char* failed = shared.mode == Mode::kPty ? enter_terminal(request) : enter_pipes(request);
  if (failed == nullptr) restore_inherited(request.inherited);
  return failed;
}

std::vector<char*> script_words(char* file, char* const* argv) {
  std::vector<char*> words{shell.data(), file};
  for (char* const* argument = argv + 1; *argument != nullptr; ++argument) words.push_back(*argument);
  words.push_back(nullptr);
  return words;
}

bool StartReport::fail(const char* call) {
  error = errno;
  std::snprintf(what.data(), what.size(), "%s", call);
  return false;
}

bool StartReport::is_about_command() const {
  const bool shortage = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE || error == ENOSPC;
  return std::string_view{what.data()}.starts_with("starting ") && !shortage;
}

void signal_job(const JobHandle& job, int signal, ControlMessage::Target target) {
  using Target = ControlMessage::Target;
  if (job.pidfd >= 0 && send_signal(job.pidfd, 0) != 0) return;  // gone: pid and group may belong to another process
  pid_t to = job.terminal < 0 || target == Target::kProcess || target == Target::kTree ? job.pid : -job.pid;
  if (target == Target::kForeground && job.terminal >= 0) {
    if (const pid_t group = ::tcgetpgrp(job.terminal); group > 0) to = -group;
  }
  // One that was just started has no group of its own yet.
  if (::kill(to, signal) != 0 && errno == ESRCH && to == -job.pid) ::kill(job.pid, signal);
}

void note_start(SharedRun& shared, pid_t job) {
  shared.job_start_ticks = start_ticks(job);
  shared.job_pid = job;
  shared.end_signal = 0;
  shared.end_asker = EndAsker::kNobody;
  shared.passed_on = 0;
  shared.job_state = JobState::kRunning;
}

bool claim_launch(SharedRun& shared, std::uint32_t number) {
  if (!shared.claimed_launches.compare_exchange_strong(number, number + 1)) return false;
  note_start(shared, ::getpid());
  ++shared.launches;
  return true;
}

void note_passed_on(SharedRun& shared, int signal, pid_t from, const Inherited& inherited) {
  const bool ends = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  if (!ends || inherited.ignores(signal)) return;
  shared.passed_on_from = from;
  shared.passed_on_ns = monotonic_ns();
  shared.passed_on = signal;
}

void note_end(SharedRun& shared, int wait_status, const rusage& usage) {
  JobEnd& end = shared.end;
  end.wait_status = wait_status;
  end.user_us = usage.ru_utime.tv_sec * 1'000'000LL + usage.ru_utime.tv_usec;
  end.system_us = usage.ru_stime.tv_sec * 1'000'000LL + usage.ru_stime.tv_usec;
  end.max_rss_kib = usage.ru_maxrss;
  end.ended_wall_ms = wall_ms();
  end.ended_monotonic_ns = monotonic_ns();
}

pid_t start_job(const JobRequest& request, SharedRun& shared, StartReport& report) {
  Pipe failures;
  if (sys("failure_pipe", [&] { return (failures = Pipe::open()) ? 0 : -1; }) != 0) {
    report.fail("pipe2");
    return -1;
  }

  std::string file = request.file;
  const auto shell_argv = script_words(file.data(), request.argv);

  BirthRight birth_right;
  birth_right.request = &request;
  birth_right.shared = &shared;
  birth_right.failure_pipe = failures.writer.get();
  birth_right.shell_argv = shell_argv.data();

  pid_t pid = -1;
  try {
    if (sys("fork_job", [] { return 0; }) != 0) throw std::system_error(errno, std::system_category());
    std::error_code error;
    errno = EMFILE;
    bp::child child(bp::exe = file, birth_right, error);
    if (error) throw std::system_error(error);
    pid = child.id();
    if (pid <= 0) throw std::system_error(errno, std::system_category());  // v1 does not report that pipe(2) failed
    child.detach();                                                        // its destructor would kill the job
  } catch (const std::exception& failure) {
    const auto* system = dynamic_cast<const std::system_error*>(&failure);
    errno = system != nullptr ? system->code().value() : ENOMEM;
    report.fail(("starting " + file).c_str());
    return -1;
  }
  failures.writer.reset();
  // The child's end closes at its exec, which ends this read: empty, or with the earlier failure.
  StartReport failed;
  ssize_t got = 0;
  do got = ::read(failures.reader.get(), &failed, sizeof failed);
  while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof failed)) {
    report = failed;
    return -1;
  }
  return pid;
}

}  // namespace gputop::run
