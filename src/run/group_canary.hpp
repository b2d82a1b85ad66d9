// Distinguishes a signal sent to our whole process group (which the job, in the same group, got too) from one sent to
// us alone (which must be forwarded). The kernel does not say, so a second process of the group (the spare) listens:
// what it receives went to all. Headless only. Never allocates.
#pragma once

#include <cstdint>

namespace gputop::run {

class GroupCanary {
 public:
  // Delivers a byte for each signal that the other process receives; takes ownership. -1: nobody listens, and every
  // signal counts as ours alone.
  void listen_to(int fd);
  [[nodiscard]] int fd() const { return fd_; }  // readable: call hear()
  void hear(std::int64_t now);

  // This process received the signal now.
  void received(int signal, std::int64_t now);
  [[nodiscard]] bool undecided() const { return waiting_ != 0; }
  // The signals that have waited long enough to be ours alone, as bits n-1.
  std::uint64_t due(std::int64_t now);

 private:
  int fd_ = -1;
  std::uint64_t waiting_ = 0;  // received here, not by the other yet
  std::uint64_t heard_ = 0;    // recently received by the other
  std::int64_t heard_at_ = 0;  // the latest
  std::int64_t decide_at_ = 0;
};

}  // namespace gputop::run
