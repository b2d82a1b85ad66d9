#include "gputop/run/inherited.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace gputop::run {

Inherited capture_inherited() {
  Inherited result;
  for (int fd = 0; fd < 3; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    result.closed[static_cast<std::size_t>(fd)] = true;
    [[maybe_unused]] const int placeholder = ::open("/dev/null", O_RDWR | O_CLOEXEC);  // the lowest free number is fd
  }
  ::sigprocmask(SIG_SETMASK, nullptr, &result.mask);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
      result.ignored |= std::uint64_t{1} << (signal - 1);
    }
  }
  return result;
}

void restore_signals(const Inherited& inherited) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    action.sa_handler = inherited.ignores(signal) ? SIG_IGN : SIG_DFL;
    ::sigaction(signal, &action, nullptr);  // SIGKILL, SIGSTOP and libc's own are refused: they cannot have changed
  }
  ::sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
}

}  // namespace gputop::run
