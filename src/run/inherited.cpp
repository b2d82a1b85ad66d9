#include "gputop/run/inherited.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace gputop::run {
namespace {

constexpr rlim_t kRaisedDescriptors = 1024;

std::optional<rlimit> raise_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kFewestDescriptors) return std::nullopt;
  const rlimit raised{std::min(kRaisedDescriptors, limit.rlim_max), limit.rlim_max};
  if (raised.rlim_cur == limit.rlim_cur || ::setrlimit(RLIMIT_NOFILE, &raised) != 0) return std::nullopt;
  return limit;
}

}  // namespace

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
  static const auto before = raise_descriptors();  // once: later calls find it raised
  result.descriptors = before;
  return result;
}

rlim_t descriptors_allowed() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

void restore_inherited(const Inherited& inherited) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    action.sa_handler = inherited.ignores(signal) ? SIG_IGN : SIG_DFL;
    ::sigaction(signal, &action, nullptr);  // SIGKILL, SIGSTOP and libc's own are refused: they cannot have changed
  }
  ::sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  if (inherited.descriptors) ::setrlimit(RLIMIT_NOFILE, &*inherited.descriptors);
}

}  // namespace gputop::run
