// A pseudo terminal with a tiny shell in it: runs a function as a foreground job, as a login shell would, and tells how
// it ended.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

namespace gputop::term::test {

class PtySession {
 public:
  // The job starts at once; its stdout is the terminal, its stdin is /dev/null.
  explicit PtySession(const std::function<void()>& job) {
    winsize size{24, 80, 0, 0};
    if (::openpty(&master_, &slave_, nullptr, nullptr, &size) == -1) throw std::runtime_error("openpty");
    if (::pipe(news_.data()) == -1) throw std::runtime_error("pipe");
    ::tcgetattr(slave_, &before_);
    shell_ = ::fork();
    if (shell_ == 0) shell(job);
    ::close(news_[1]);
  }
  PtySession(const PtySession&) = delete;
  PtySession& operator=(const PtySession&) = delete;
  ~PtySession() {
    if (job_ > 0) ::kill(job_, SIGKILL);
    ::kill(shell_, SIGKILL);
    ::waitpid(shell_, nullptr, 0);
    ::close(master_);
    ::close(slave_);
    ::close(news_[0]);
  }

  // The next thing the shell was told about its job (a wait status). Output is read meanwhile, so that the job never
  // waits for us.
  int wait() {
    int status = 0;
    for (;;) {
      std::array<pollfd, 2> ready{{{news_[0], POLLIN, 0}, {master_, POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), 60'000) <= 0) throw std::runtime_error("the job does not answer");
      if ((ready[1].revents & POLLIN) != 0) read_output();
      if ((ready[0].revents & POLLIN) != 0) break;
    }
    if (::read(news_[0], &status, sizeof status) != sizeof status) throw std::runtime_error("the shell is gone");
    pollfd more{master_, POLLIN, 0};
    while (::poll(&more, 1, 0) > 0 && (more.revents & POLLIN) != 0) read_output();
    return status;
  }
  // Until the output contains this.
  bool wait_for(std::string_view text) {
    pollfd ready{master_, POLLIN, 0};
    while (output_.find(text) == std::string::npos) {
      if (::poll(&ready, 1, 10'000) <= 0) return false;
      read_output();
    }
    return true;
  }

  void type(std::string_view keys) const { [[maybe_unused]] const auto n = ::write(master_, keys.data(), keys.size()); }
  void signal(int number) {
    if (job_ <= 0) throw std::runtime_error("no job");
    ::kill(job_, number);
  }
  // The shell's first message is the job's process id.
  void learn_job() { job_ = wait(); }

  [[nodiscard]] const std::string& output() const { return output_; }
  void forget_output() { output_.clear(); }
  [[nodiscard]] bool modes_restored() const { return modes_equal(before_); }
  [[nodiscard]] bool raw() const {
    termios now{};
    ::tcgetattr(slave_, &now);
    return (now.c_lflag & (ICANON | ECHO | ISIG)) == 0;
  }
  [[nodiscard]] int slave() const { return slave_; }

 private:
  [[nodiscard]] bool modes_equal(const termios& other) const {
    termios now{};
    ::tcgetattr(slave_, &now);
    return now.c_iflag == other.c_iflag && now.c_oflag == other.c_oflag && now.c_lflag == other.c_lflag &&
           now.c_cflag == other.c_cflag;
  }
  void read_output() {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(master_, buffer.data(), buffer.size());
    if (count > 0) output_.append(buffer.data(), static_cast<std::size_t>(count));
  }

  [[noreturn]] void shell(const std::function<void()>& job) {
    for (int number = 1; number < 32; ++number) ::signal(number, SIG_DFL);
    ::signal(SIGTTOU, SIG_IGN);
    ::setsid();
    ::ioctl(slave_, TIOCSCTTY, 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      ::tcsetpgrp(slave_, ::getpid());
      ::signal(SIGTTOU, SIG_DFL);
      ::dup2(slave_, STDOUT_FILENO);
      ::dup2(slave_, STDERR_FILENO);
      ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
      job();
      std::_Exit(0);
    }
    ::setpgid(child, child);
    ::tcsetpgrp(slave_, child);
    [[maybe_unused]] ssize_t told = ::write(news_[1], &child, sizeof child);
    int status = 0;
    while (::waitpid(child, &status, WUNTRACED) == child) {
      told = ::write(news_[1], &status, sizeof status);
      if (!WIFSTOPPED(status)) break;
    }
    ::pause();
    std::_Exit(0);
  }

  int master_ = -1;
  int slave_ = -1;
  std::array<int, 2> news_{};
  termios before_{};
  pid_t shell_ = -1;
  pid_t job_ = -1;
  std::string output_;
};

}  // namespace gputop::term::test
