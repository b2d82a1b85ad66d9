// The terminal we draw on: taken over, and given back on every way out, including crashes.
#pragma once

#include <memory>
#include <string_view>

#include "gputop/base/descriptor.hpp"
#include "gputop/core/result.hpp"
#include "gputop/term/color_depth.hpp"

namespace gputop::term {

struct TerminalSize {
  int width = 80;
  int height = 24;
  bool operator==(const TerminalSize&) const = default;
};

// What the signals reported since the last call.
struct TerminalNotices {
  bool resized = false;
  bool resumed = false;      // the screen is ours again and blank: repaint everything
  bool stop_wanted = false;  // with Options::announce_stops: call suspend()
};

// One per process at a time: it owns the handlers of SIGTSTP, SIGCONT, SIGWINCH and, unless others have them, of the
// signals that kill. Used from one thread. During its life, the terminal is raw, on its alternate screen, without
// cursor or wrapping.
class Terminal {
 public:
  struct Options {
    bool mouse = true;
    bool announce_stops = false;  // others draw here, too: they must be told before Ctrl-Z gives the terminal back
    std::string_view behind;      // printed on stderr before a background process stops until it is brought to the front
  };

  // If started in the background, this returns when the shell has brought the process to the front. Opens stdout's
  // terminal again, otherwise the controlling one, so neither a redirected stdin nor our O_NONBLOCK affects others.
  static Result<std::unique_ptr<Terminal>> open(Options options);

  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // For reading and writing; non-blocking. Owned by this object.
  [[nodiscard]] int fd() const;
  // Becomes readable when a signal brings news; take_notices() makes it unreadable again.
  [[nodiscard]] int notices_fd() const;
  TerminalNotices take_notices();

  // From the terminal, otherwise COLUMNS and LINES, otherwise 80×24; 1…1000 in each direction.
  [[nodiscard]] TerminalSize size() const;

  void set_mouse(bool on);

  // Gives the terminal back to the shell and stops the process, like Ctrl-Z; returns when it continues (notice:
  // resumed).
  void suspend();
  // False between being stopped and returning to the foreground: nothing may be written then.
  [[nodiscard]] bool is_ours() const;

 private:
  Terminal(Descriptor fd, Pipe notices);

  Descriptor fd_;
  Pipe notices_;  // signal handlers write
};

// The size rule of Terminal::size() as a pure function; 0 stands for unknown.
TerminalSize plausible_size(int width, int height, const Environment& environment);

// Leaves the screen as it was found, from anywhere, also just before exec. Async-signal-safe; does nothing without a
// screen.
void give_back_terminal();

}  // namespace gputop::term
