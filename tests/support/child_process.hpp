// A forked child that does one thing, waits to be told, and cannot outlive the test.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>

namespace gputop::test {

class ChildProcess {
 public:
  // Returns once the child has called its argument: `body` is told how to say "ready". Its result is the exit code.
  explicit ChildProcess(const std::function<int(const std::function<void()>& ready)>& body) {
    int pipe_fds[2];
    if (::pipe(pipe_fds) != 0) throw std::runtime_error{"pipe"};
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::close(pipe_fds[0]);
      ::_exit(body([&] { static_cast<void>(::write(pipe_fds[1], "r", 1) == 1); }));
    }
    ::close(pipe_fds[1]);
    char byte = 0;
    const bool is_ready = ::read(pipe_fds[0], &byte, 1) == 1;
    ::close(pipe_fds[0]);
    if (!is_ready) throw std::runtime_error{"the child ended before it was ready"};
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (pid_ > 0) end(SIGKILL);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Sends the signal, waits for the end, returns the wait status.
  int end(int signal) {
    ::kill(pid_, signal);
    return wait();
  }

  // Waits for the child's own end, returns the wait status.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_ = -1;
};

}  // namespace gputop::test
