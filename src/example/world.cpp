// The real clock, terminal and Ctrl-C of the example run.
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "gputop/example/example_run.hpp"

namespace gputop {
namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text{value};
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return text.find("UTF-8") != std::string::npos || text.find("UTF8") != std::string::npos;
  }
  return false;
}

class RealWorld final : public ExampleWorld {
 public:
  RealWorld() {
    sigemptyset(&interrupt_);
    struct sigaction action {};
    sigaction(SIGINT, nullptr, &action);
    // Started with SIGINT ignored (nohup, a background job): Python leaves it so, and so do we.
    if (action.sa_handler != SIG_IGN) sigaddset(&interrupt_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt_, &before_);
  }
  ~RealWorld() override { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  double now() override {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  // The signal is held back and fetched here, so it can neither be missed nor run code in the middle of something.
  bool sleep_until(double then) override {
    for (;;) {
      const double left = std::max(0.0, then - now());
      timespec time{};
      time.tv_sec = static_cast<time_t>(left);
      time.tv_nsec = static_cast<long>((left - std::floor(left)) * 1e9);
      if (sigtimedwait(&interrupt_, nullptr, &time) == SIGINT) return false;
      if (errno != EINTR) return true;
    }
  }

  bool out(std::string_view text) override { return write_all(STDOUT_FILENO, text); }
  bool error(std::string_view text) override { return write_all(STDERR_FILENO, text); }

  Screen screen() override {
    Screen screen{.terminal = ::isatty(STDERR_FILENO) == 1, .columns = 0, .utf8 = locale_is_utf8()};
    winsize size{};
    if (screen.terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) screen.columns = size.ws_col;
    return screen;
  }

 private:
  sigset_t interrupt_{};
  sigset_t before_{};
};

}  // namespace

std::unique_ptr<ExampleWorld> make_example_world() {
  return std::make_unique<RealWorld>();
}

}  // namespace gputop
