#include "run/spawn.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gputop/run/launch.hpp"
#include "gputop/base/files.hpp"
#include "run/job.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

Error start_error(const StartReport& report) {
  Error error = io_error(report.what.data(), report.error);
  const bool command = std::string_view{report.what.data()}.starts_with("starting ");
  if (command && (report.error == ENOENT || report.error == ENOTDIR)) error.kind = Error::Kind::kNotFound;
  if (command && (report.error == EACCES || report.error == ENOEXEC)) error.kind = Error::Kind::kPermission;
  return error;
}

}  // namespace

Result<pid_t> spawn_keeper(const KeeperCommand& command,
                           RunFds fds,
                           std::vector<std::string> environment,
                           const Inherited& inherited) {
  Pipe report_pipe;
  if (sys("report_pipe", [&] { return (report_pipe = Pipe::open()) ? 0 : -1; }) != 0) return io_error("keeper: pipe2");
  fds.report = report_pipe.writer.get();

  auto arguments = keeper_command(command, fds);
  const auto argv = pointers(arguments);
  const auto envp = pointers(environment);
  const pid_t pid = sys("fork_keeper", [] { return ::fork(); });
  if (pid < 0) return io_error("keeper: fork");
  if (pid == 0) {  // async-signal-safe calls only: the engine, which may be our parent, has threads
    ::setsid();
    restore_inherited(inherited);
    keep_through_exec(fds, true);
    if (sys("exec_keeper", [] { return 0; }) == 0) ::execve(self_path(), argv.data(), envp.data());
    const StartReport report{.error = errno, .what = {"keeper: exec"}};
    [[maybe_unused]] const auto told = ::write(fds.report, &report, sizeof report);
    ::_exit(126);
  }
  report_pipe.writer.reset();
  StartReport report;
  ssize_t got = 0;
  do got = ::read(report_pipe.reader.get(), &report, sizeof report);
  while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof report) && report.error == 0) return pid;
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (got == static_cast<ssize_t>(sizeof report)) return start_error(report);
  return Error{Error::Kind::kLost, "keeper: died while starting (wait status " + std::to_string(status) + ")"};
}

Error exec_keeper(const KeeperCommand& command,
                  const RunFds& fds,
                  std::vector<std::string> environment,
                  const Inherited& inherited) {
  auto arguments = keeper_command(command, fds);
  const auto argv = pointers(arguments);
  const auto envp = pointers(environment);
  restore_inherited(inherited);
  keep_through_exec(fds, true);
  if (sys("exec_keeper", [] { return 0; }) == 0) ::execve(self_path(), argv.data(), envp.data());
  const Error error = io_error(std::string{"keeper: exec "} + self_path());
  keep_through_exec(fds, false);
  return error;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

}  // namespace gputop::run
