// The terminal we draw on, taken over and given back: on every way out, crashes included.
#pragma once

#include <memory>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/term/color_depth.hpp"

namespace gputop::term {

struct TerminalSize {
  int width = 80;
  int height = 24;
  bool operator==(const TerminalSize&) const = default;
};

// What the signals said since it was last asked.
struct TerminalNotices {
  bool resized = false;
  bool resumed = false;      // the screen is ours again and blank: paint everything
  bool stop_wanted = false;  // with Options::announce_stops: call suspend()
};

// One per process at a time: it owns the handlers of SIGTSTP, SIGCONT, SIGWINCH and, where nobody else has them, of the
// signals that kill. To be used from one thread. While it lives the terminal is raw, on its alternate screen, without
// cursor or wrapping.
class Terminal {
 public:
  struct Options {
    bool mouse = true;
    bool announce_stops = false;  // others draw here, too: they must be told before Ctrl-Z gives the terminal back
    std::string_view behind;      // said on stderr before a process in the background stops to be brought to the front
  };

  // Started in the background, this returns when the shell has brought the process to the front.
  // Opens stdout's terminal anew, else the controlling one, so that neither a redirected stdin nor our O_NONBLOCK
  // matters to others.
  static Result<std::unique_ptr<Terminal>> open(Options options);

  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // For reading and writing; non-blocking. Owned by this object.
  [[nodiscard]] int fd() const;
  // Becomes readable when a signal brought news; take_notices() makes it unreadable again.
  [[nodiscard]] int notices_fd() const;
  TerminalNotices take_notices();

  // By the terminal, else COLUMNS and LINES, else 80×24; 1…1000 each way.
  [[nodiscard]] TerminalSize size() const;

  void set_mouse(bool on);

  // Gives the terminal back to the shell and stops the process, as Ctrl-Z does; returns when it goes on (notice:
  // resumed).
  void suspend();
  // False between being stopped and coming back to the foreground: nothing may be written then.
  [[nodiscard]] bool is_ours() const;

 private:
  Terminal(int fd, int notices_fd, int notices_writer);

  int fd_;
  int notices_fd_;
  int notices_writer_;  // the handlers' end
};

// The size rule of Terminal::size() as a function of what was found; 0 stands for "not said".
TerminalSize plausible_size(int width, int height, const Environment& environment);

// The screen is left as it was found, from anywhere, also where a process is about to be something else.
// Async-signal-safe; nothing when there is no screen.
void give_back_terminal();

}  // namespace gputop::term
