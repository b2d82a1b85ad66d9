// Tells a signal sent to our whole process group (which the job, in the same group, has got too) from one sent to us
// alone (which it must be given). The kernel does not say; so a second process of the group (the spare) listens, and
// what it hears went to all. Headless only. Allocates nothing.
#pragma once

#include <cstdint>

namespace gputop::run {

class GroupCanary {
 public:
  // A byte comes from there for each signal that the other process hears; owned from now on. -1: nobody listens, and
  // every signal counts as ours alone.
  void listen_to(int fd);
  [[nodiscard]] int fd() const { return fd_; }  // readable: call hear()
  void hear(std::int64_t now);

  // This process got the signal now.
  void received(int signal, std::int64_t now);
  [[nodiscard]] bool undecided() const { return waiting_ != 0; }
  // The signals that have waited long enough to know that they came to us alone, as bits n-1.
  std::uint64_t due(std::int64_t now);

 private:
  int fd_ = -1;
  std::uint64_t waiting_ = 0;  // received, not yet heard
  std::uint64_t heard_ = 0;    // heard lately
  std::int64_t heard_at_ = 0;  // the latest
  std::int64_t decide_at_ = 0;
};

}  // namespace gputop::run
