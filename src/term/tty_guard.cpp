// Async-signal-safe terminal state: see tty_guard.hpp. The only place with process-wide state, because signal handlers
// are process-wide.
#include "term/tty_guard.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "gputop/base/files.hpp"
#include "term/held_stderr.hpp"

namespace gputop::term::tty_guard {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h";
constexpr std::string_view kMouseOn = "\x1b[?1002h\x1b[?1006h";
constexpr std::string_view kMouseOff = "\x1b[?1006l\x1b[?1002l";
// From any state, even in the middle of a frame: end of frame, plain pen, all modes off, cleared (for consoles without
// an alternate screen), then back.
constexpr std::string_view kLeave =
    "\x1b[?2026l\x1b[m\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[?7h\x1b[H\x1b[J\x1b[?1049l\x1b[?25h";

constexpr std::array kCrashes{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr std::array kDeaths{SIGTERM, SIGHUP, SIGINT, SIGQUIT};
constexpr std::array kNews{SIGWINCH, SIGTSTP, SIGCONT};
constexpr int kSignals = 65;

struct State {
  std::atomic<int> fd{-1};
  std::atomic<int> notices{-1};
  std::atomic<pid_t> owner{0};
  std::atomic<bool> entered{false};
  std::atomic<bool> mouse{false};
  std::atomic<bool> announces_stops{false};
  std::atomic<bool> continued{false};
  termios cooked{};
  termios raw{};
  std::array<struct sigaction, kSignals> before{};
  std::array<bool, kSignals> installed{};
  std::terminate_handler terminate = nullptr;
};
State state;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

bool in_foreground(int fd) {
  const pid_t group = ::tcgetpgrp(fd);
  return group == -1 || group == ::getpgrp();  // without job control there is nobody to disturb
}

// A terminal that does not read must not block us: it has not read a frame that nobody needs any more.
void write_all(int fd, std::string_view bytes) {
  constexpr int kPatience = 20;
  for (int tries = 0; !bytes.empty() && tries < kPatience;) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EIO || errno == EBADF)) return;  // the terminal is gone
    ::tcflush(fd, TCOFLUSH);
    pollfd ready{fd, POLLOUT, 0};
    ::poll(&ready, 1, 10);
    ++tries;
  }
}

// tcsetattr without being stopped by SIGTTOU, in a handler or not.
void set_modes(int fd, const termios& modes) {
  sigset_t block;
  sigset_t old;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  ::pthread_sigmask(SIG_BLOCK, &block, &old);
  constexpr int kAttempts = 3;  // a shell without its modes would be useless
  for (int i = 0; i < kAttempts && ::tcsetattr(fd, TCSANOW, &modes) == -1;) i += errno == EINTR ? 0 : 1;
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void tell(char news) {
  const int fd = state.notices;
  if (fd == -1) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, &news, 1);  // if the pipe is full, the news is already in it
}

void put_back(int signal) {
  ::sigaction(signal, &state.before[static_cast<std::size_t>(signal)], nullptr);
}

// Nobody is left to read the terminal's answers; without this they would be typed into the shell.
void drop_late_answer() {
  constexpr int kPatience = 50;  // ms
  if (state.fd == -1 || ::getpid() != state.owner || !entered() || !in_foreground(state.fd)) return;
  pollfd ready{state.fd, POLLIN, 0};
  if (::poll(&ready, 1, kPatience) > 0) ::tcflush(state.fd, TCIFLUSH);
}

// The previous handler (the default, a sanitizer, the guard against NVML) gets the same signal. A foreign thread may
// have no stack left to do more: if somebody else handles the signal, they give the screen back.
void on_fatal(int signal, siginfo_t* info, void* /*context*/) {
  const auto& before = state.before[static_cast<std::size_t>(signal)];
  const auto thread = ::syscall(SYS_gettid);
  if (thread == ::getpid() || before.sa_handler == SIG_DFL) {
    drop_late_answer();
    leave();
  }
  put_back(signal);
  // Including the sender: a kill by somebody else is not a crash of NVML.
  ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, signal, info);
}

// Really stops: the default action, taken while the signal is unblocked, until SIGCONT.
void stop_by_default(int signal) {
  struct sigaction standard {};
  struct sigaction ours {};
  standard.sa_handler = SIG_DFL;
  sigset_t allow;
  sigset_t old;
  sigemptyset(&allow);
  sigaddset(&allow, signal);
  ::sigaction(signal, &standard, &ours);
  ::raise(signal);
  ::pthread_sigmask(SIG_UNBLOCK, &allow, &old);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  ::sigaction(signal, &ours, nullptr);
}

void on_news(int signal) {
  const int saved = errno;
  if (signal == SIGWINCH) tell(kResized);
  if (signal == SIGTSTP && state.announces_stops) tell(kStopWanted);
  if (signal == SIGTSTP && !state.announces_stops) stop_process();
  if (signal == SIGCONT) state.continued = true;
  if (signal == SIGCONT && ::getpid() == state.owner) {
    // After SIGSTOP, which nobody sees coming, the shell has had the terminal: what we know about it is void.
    state.entered = false;
    if (in_foreground(state.fd)) {
      enter();
      tell(kResumed);
    }
  }
  errno = saved;
}

struct sigaction calling(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  return action;
}

struct sigaction calling(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  return action;
}

void install(int signal, struct sigaction action, int flags) {
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  const auto index = static_cast<std::size_t>(signal);
  state.installed[index] = ::sigaction(signal, &action, &state.before[index]) == 0;
}

// Signals that are ignored (nohup) or handled by another part of the program stay as they are.
void install_where_default(int signal) {
  struct sigaction now {};
  const bool known = ::sigaction(signal, nullptr, &now) == 0;
  if (known && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL) install(signal, calling(on_fatal), SA_SIGINFO);
}

void uninstall(int signal) {
  const auto index = static_cast<std::size_t>(signal);
  if (!state.installed[index]) return;
  state.installed[index] = false;
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  const bool still_ours = (now.sa_flags & SA_SIGINFO) != 0 ? now.sa_sigaction == on_fatal : now.sa_handler == on_news;
  if (still_ours) put_back(signal);
}

[[noreturn]] void on_terminate() {
  leave();  // first, so the next handler's message is visible
  if (state.terminate != nullptr) state.terminate();
  std::abort();
}

// Started in the background (`gputop … &`): the terminal is the shell's, and its prompt must not appear on our screen.
// Like an editor, we stop until the shell brings us to the front; the message before that says what keeps running.
// False: somebody else has the terminal, and no shell could give it to us (an orphaned process group, which the kernel
// does not stop).
bool wait_for_foreground(int fd, std::string_view notice) {
  constexpr int kPatience = 10;  // times 10 ms: some shells start a job before they give it the terminal
  for (int tries = 0; !in_foreground(fd); ++tries) {
    if (tries > 2 * kPatience) return false;
    ::poll(nullptr, 0, 10);
    if (tries < kPatience || in_foreground(fd)) continue;
    if (!notice.empty()) write_all(STDERR_FILENO, std::exchange(notice, {}));
    state.continued = false;
    stop_by_default(SIGTTOU);
    if (state.continued) tries = 0;  // perhaps by bg
  }
  return true;
}

// A stack overflow is a crash, too: its handler needs its own stack.
void use_alternate_stack() {
  static std::array<char, 64 * 1024> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  stack_t old{};
  if (::sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0) ::sigaltstack(&stack, nullptr);
}

}  // namespace

Status arm(int fd, int notices_fd, std::string_view behind) {
  if (state.fd != -1) return Error{Error::Kind::kInvalid, "the terminal is already taken over by this process"};
  state.owner = 0;  // not entered yet
  install(SIGCONT, calling(on_news), SA_RESTART);
  if (!wait_for_foreground(fd, behind)) {
    uninstall(SIGCONT);
    return Error{Error::Kind::kUnavailable, "the terminal is another's: gputop was started in the background"};
  }
  if (::tcgetattr(fd, &state.cooked) == -1) {  // only now: a shell that waits for a line has its own modes
    uninstall(SIGCONT);
    return io_error("reading the terminal's modes");
  }
  state.raw = state.cooked;
  ::cfmakeraw(&state.raw);
  state.raw.c_cc[VMIN] = 1;
  state.raw.c_cc[VTIME] = 0;
  state.notices = notices_fd;
  state.owner = ::getpid();
  state.entered = false;
  state.fd = fd;

  static const bool registered = [] {
    std::atexit(leave);
    std::at_quick_exit(leave);
    return true;
  }();
  (void)registered;
  state.terminate = std::set_terminate(on_terminate);
  use_alternate_stack();
  held_stderr::prepare(fd);
  for (const int signal : kCrashes) install(signal, calling(on_fatal), SA_ONSTACK | SA_NODEFER | SA_SIGINFO);
  for (const int signal : kDeaths) install_where_default(signal);
  for (const int signal : kNews) {
    if (signal != SIGCONT) install(signal, calling(on_news), SA_RESTART);
  }
  enter();
  return success();
}

void disarm() {
  for (const int signal : kNews) uninstall(signal);
  leave();
  for (const int signal : kCrashes) uninstall(signal);
  for (const int signal : kDeaths) uninstall(signal);
  if (std::get_terminate() == on_terminate) std::set_terminate(state.terminate);
  state.fd = -1;
  state.notices = -1;
}

void set_mouse(bool on) {
  if (state.mouse.exchange(on) == on || !entered()) return;
  write_all(state.fd, on ? kMouseOn : kMouseOff);
}

void enter() {
  if (state.entered.exchange(true)) return;
  held_stderr::hold();
  set_modes(state.fd, state.raw);
  write_all(state.fd, kEnter);
  if (state.mouse) write_all(state.fd, kMouseOn);
}

void leave() {
  // A forked child that exits must not clear our screen.
  if (state.fd == -1 || ::getpid() != state.owner || !state.entered.exchange(false)) return;
  const int saved = errno;
  if (in_foreground(state.fd)) {
    write_all(state.fd, kLeave);
    set_modes(state.fd, state.cooked);
  }
  held_stderr::release();
  errno = saved;
}

bool entered() {
  return state.entered;
}

void announce_stops(bool on) {
  state.announces_stops = on;
}

void stop_process() {
  leave();
  stop_by_default(SIGTSTP);
  // SIGCONT's handler has entered again, unless we continued in the background, or nobody stopped us: in a group
  // without a shell, the kernel ignores it.
  if (!entered() && in_foreground(state.fd)) {
    enter();
    tell(kResumed);
  }
}

}  // namespace gputop::term::tty_guard
