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

#include "gputop/base/files.hpp"
#include "term/tty_guard.hpp"

namespace gputop::term {
namespace {

constexpr int kLargestSize = 1000;
constexpr int kFlags = O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;

Result<Descriptor> open_tty() {
  if (::isatty(STDOUT_FILENO) == 1) {
    // Reopened instead of duplicated: O_NONBLOCK belongs to the open file, which the shell shares with fd 1.
    if (Descriptor fd{::open("/proc/self/fd/1", kFlags)}) return fd;
  }
  Descriptor fd{::open("/dev/tty", kFlags)};
  if (fd) return fd;
  return Error{Error::Kind::kUnavailable,
               io_error("opening /dev/tty").message + " (no terminal to draw on; try --headless)"};
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
  Pipe notices = Pipe::open(O_NONBLOCK);
  if (!notices) return io_error("opening a pipe for signals");
  tty_guard::set_mouse(options.mouse);
  tty_guard::announce_stops(options.announce_stops);
  if (const auto armed = tty_guard::arm(fd->get(), notices.writer.get(), options.behind); !armed) return armed.error();
  return std::unique_ptr<Terminal>(new Terminal(*std::move(fd), std::move(notices)));
}

Terminal::Terminal(Descriptor fd, Pipe notices) : fd_(std::move(fd)), notices_(std::move(notices)) {}

Terminal::~Terminal() {
  tty_guard::disarm();
}

int Terminal::fd() const {
  return fd_.get();
}

int Terminal::notices_fd() const {
  return notices_.reader.get();
}

TerminalNotices Terminal::take_notices() {
  TerminalNotices notices;
  std::array<char, 64> news{};
  for (ssize_t count = 0; (count = ::read(notices_.reader.get(), news.data(), news.size())) > 0;) {
    const std::string_view said{news.data(), static_cast<std::size_t>(count)};
    notices.resized = notices.resized || said.find(tty_guard::kResized) != std::string_view::npos;
    notices.stop_wanted = notices.stop_wanted || said.find(tty_guard::kStopWanted) != std::string_view::npos;
    notices.resumed = notices.resumed || said.find(tty_guard::kResumed) != std::string_view::npos;
  }
  return notices;
}

TerminalSize Terminal::size() const {
  winsize found{};
  if (::ioctl(fd_.get(), TIOCGWINSZ, &found) == -1) found = {};
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
