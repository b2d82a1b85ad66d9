// Opening, sizing and suspending: see terminal.hpp. What signal handlers need is in tty_guard.
#include "gputop/term/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "term/tty_guard.hpp"

namespace gputop::term {
namespace {

constexpr int kLargestSize = 1000;
constexpr int kFlags = O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;

Result<int> open_tty() {
  if (::isatty(STDOUT_FILENO) == 1) {
    // Opened anew rather than dup'ed: O_NONBLOCK belongs to the open file, which the shell shares with fd 1.
    if (const int fd = ::open("/proc/self/fd/1", kFlags); fd != -1) return fd;
  }
  const int fd = ::open("/dev/tty", kFlags);
  if (fd != -1) return fd;
  return Error{Error::Kind::kUnavailable,
               std::string{"opening /dev/tty: "} + std::strerror(errno) + " (no terminal to draw on; try --headless)"};
}

int number_in(const Environment& environment, std::string_view name) {
  const std::string text = environment(name).value_or("");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::open(Options options) {
  auto fd = open_tty();
  if (!fd) return fd.error();
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) == -1) {
    const int reason = errno;
    ::close(*fd);
    return Error{Error::Kind::kIo, std::string{"opening a pipe for signals: "} + std::strerror(reason)};
  }
  tty_guard::set_mouse(options.mouse);
  tty_guard::announce_stops(options.announce_stops);
  if (const auto armed = tty_guard::arm(*fd, pipe[1], options.behind); !armed) {
    for (const int open : {*fd, pipe[0], pipe[1]}) ::close(open);
    return armed.error();
  }
  return std::unique_ptr<Terminal>(new Terminal(*fd, pipe[0], pipe[1]));
}

Terminal::Terminal(int fd, int notices_fd, int notices_writer)
    : fd_(fd), notices_fd_(notices_fd), notices_writer_(notices_writer) {}

Terminal::~Terminal() {
  tty_guard::disarm();
  for (const int open : {fd_, notices_fd_, notices_writer_}) ::close(open);
}

int Terminal::fd() const {
  return fd_;
}

int Terminal::notices_fd() const {
  return notices_fd_;
}

TerminalNotices Terminal::take_notices() {
  TerminalNotices notices;
  std::array<char, 64> news{};
  for (ssize_t count = 0; (count = ::read(notices_fd_, news.data(), news.size())) > 0;) {
    const std::string_view said{news.data(), static_cast<std::size_t>(count)};
    notices.resized = notices.resized || said.find(tty_guard::kResized) != std::string_view::npos;
    notices.stop_wanted = notices.stop_wanted || said.find(tty_guard::kStopWanted) != std::string_view::npos;
    notices.resumed = notices.resumed || said.find(tty_guard::kResumed) != std::string_view::npos;
  }
  return notices;
}

TerminalSize Terminal::size() const {
  winsize found{};
  if (::ioctl(fd_, TIOCGWINSZ, &found) == -1) found = {};
  return plausible_size(found.ws_col, found.ws_row, process_environment());
}

void Terminal::set_mouse(bool on) {
  tty_guard::set_mouse(on);
}

void Terminal::suspend() {
  tty_guard::stop_process();
}

bool Terminal::is_ours() const {
  return tty_guard::entered();
}

TerminalSize plausible_size(int width, int height, const Environment& environment) {
  const TerminalSize usual;
  const auto choose = [&](int said, std::string_view variable, int otherwise) {
    if (said <= 0) said = number_in(environment, variable);
    return said <= 0 ? otherwise : std::min(said, kLargestSize);
  };
  return {choose(width, "COLUMNS", usual.width), choose(height, "LINES", usual.height)};
}

void give_back_terminal() {
  tty_guard::leave();
}

}  // namespace gputop::term
