// Distinguishes a signal sent to our whole process group (which the job, in the same group, got too) from one sent to
// us alone (which must be forwarded). The kernel does not say, so a second process of the group (the spare) listens:
// what it receives went to all. Headless only. Never allocates.
#pragma once

#include <array>
#include <cstdint>

namespace gputop::run {

class GroupCanary {
 public:
  // Delivers a byte for each signal that the other process receives; takes ownership. -1: nobody listens, and every
  // signal counts as ours alone.
  void listen_to(int fd);
  [[nodiscard]] int fd() const { return fd_; }  // readable: call hear()
  void hear(std::int64_t now);

  // This process received the signal now, or the keeper did and passed it on when it got to run.
  enum class By { kUs, kKeeper };
  void received(int signal, By by, std::int64_t now);
  [[nodiscard]] bool undecided() const { return waiting_ != 0; }
  [[nodiscard]] std::uint64_t waiting() const { return waiting_; }  // bits n-1
  // The signals that have waited long enough to be ours alone, as bits n-1. `settled`: the other process sleeps and none
  // of them is pending there, so it did not get them. Without that, a busy machine is given seconds: a job must not be
  // interrupted twice.
  std::uint64_t due(std::int64_t now, bool settled);

 private:
  int fd_ = -1;
  std::uint64_t waiting_ = 0;  // received here, not by the other yet
  std::array<std::int64_t, 64> heard_at_{};  // by the other, of each signal (n-1); 0: never
  std::int64_t decide_at_ = 0;
};

}  // namespace gputop::run
