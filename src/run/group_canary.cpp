#include "run/group_canary.hpp"

#include <unistd.h>

#include <utility>

namespace gputop::run {
namespace {

constexpr std::int64_t kPatience = 30;        // ms: senders that signal one process after the other need a moment
constexpr std::int64_t kBusyPatience = 5000;  // ms: for a process of ours that waits for a processor

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
    if (signal == 0 || signal > heard_at_.size()) continue;
    waiting_ &= ~bit(signal);
    heard_at_[signal - 1U] = now;
  }
  if (got == 0) listen_to(-1);
}

void GroupCanary::received(int signal, By by, std::int64_t now) {
  const auto heard = heard_at_[static_cast<std::size_t>(signal - 1)];
  if (heard != 0 && now - heard <= (by == By::kKeeper ? kBusyPatience : kPatience)) return;
  waiting_ |= bit(signal);
  decide_at_ = now + (fd_ >= 0 ? kPatience : 0);
}

std::uint64_t GroupCanary::due(std::int64_t now, bool settled) {
  return now >= decide_at_ + (settled ? 0 : kBusyPatience) ? std::exchange(waiting_, 0) : 0;
}

}  // namespace gputop::run
