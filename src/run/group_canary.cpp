#include "run/group_canary.hpp"

#include <unistd.h>

#include <utility>

namespace gputop::run {
namespace {

std::uint64_t bit(int signal) {
  return std::uint64_t{1} << (signal - 1);
}

}  // namespace

void GroupCanary::listen_to(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

void GroupCanary::hear(std::int64_t now) {
  unsigned char signal = 0;
  ssize_t got = 0;
  while ((got = ::read(fd_, &signal, 1)) == 1) {
    waiting_ &= ~bit(signal);
    heard_ |= bit(signal);  // the keeper may forward it to us a second time
    heard_at_ = now;
  }
  if (got == 0) listen_to(-1);
}

void GroupCanary::received(int signal, std::int64_t now) {
  constexpr std::int64_t kPatience = 30;        // senders that signal one process after the other need a moment
  if (now - heard_at_ > kPatience) heard_ = 0;  // from a terminal, which signals all at once and is not received here
  if ((heard_ & bit(signal)) != 0) return;
  waiting_ |= bit(signal);
  decide_at_ = now + (fd_ >= 0 ? kPatience : 0);
}

std::uint64_t GroupCanary::due(std::int64_t now) {
  return now >= decide_at_ ? std::exchange(waiting_, 0) : 0;
}

}  // namespace gputop::run
