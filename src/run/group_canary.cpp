#include "run/group_canary.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace gputop::run {
namespace {

std::uint64_t bit(int signal) {
  return std::uint64_t{1} << (signal - 1);
}

[[noreturn]] void listen(const sigset_t& signals, int tell, pid_t keeper) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(0);  // it died before that
  ::prctl(PR_SET_NAME, "gputop-signals");
  ::dup2(tell, 3);
  ::close_range(4, ~0U, 0);
  for (int fd = 0; fd < 3; ++fd) ::close(fd);
  while (true) {
    const auto signal = static_cast<unsigned char>(::sigwaitinfo(&signals, nullptr));
    if (::write(3, &signal, 1) != 1) ::_exit(0);
  }
}

}  // namespace

void GroupCanary::start(const sigset_t& listened) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  const pid_t keeper = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) listen(listened, ends[1], keeper);
  ::close(ends[1]);
  fd_ = ends[0];
  if (pid_ < 0) stop();
}

void GroupCanary::stop() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (pid_ > 0 && ::kill(pid_, SIGKILL) == 0) ::waitpid(pid_, nullptr, 0);  // at once: it holds nothing
  pid_ = -1;
}

void GroupCanary::hear(std::int64_t now) {
  unsigned char signal = 0;
  ssize_t got = 0;
  while ((got = ::read(fd_, &signal, 1)) == 1) {
    if ((waiting_ & bit(signal)) != 0) {
      waiting_ &= ~bit(signal);
    } else {
      heard_ |= bit(signal);
      heard_at_ = now;
    }
  }
  if (got == 0) stop();
}

void GroupCanary::received(int signal, std::int64_t now) {
  constexpr std::int64_t kPatience = 30;        // senders that go from process to process need a moment
  if (now - heard_at_ > kPatience) heard_ = 0;  // of a terminal, which sends to all at once; that is not received here
  if ((heard_ & bit(signal)) != 0) {
    heard_ &= ~bit(signal);
    return;
  }
  waiting_ |= bit(signal);
  decide_at_ = now + (fd_ >= 0 ? kPatience : 0);
}

std::uint64_t GroupCanary::due(std::int64_t now) {
  return now >= decide_at_ ? std::exchange(waiting_, 0) : 0;
}

}  // namespace gputop::run
