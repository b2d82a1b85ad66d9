// The user's own stdout or stderr, written from the ring without blocking the writer and without changing it for
// others; after a kill, a successor continues at the exact byte. Never allocates.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "run/ring.hpp"

namespace gputop::run {

class UserOutput {
 public:
  // Takes any open descriptor (-1: none); may reopen it, so O_NONBLOCK is set on our own description only. `ring_file`:
  // the ring as a file with its own position, shared with successors; -1: none. `written`: how much is in the ring,
  // including what a predecessor left there.
  void open(int fd, const RingPlace& ring, int ring_file, std::uint64_t written);
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint64_t copied() const { return copied_; }  // everything before it was written
  // The next bytes, up to `written`; as write(2).
  ssize_t copy(std::uint64_t written);
  void skip_to(std::uint64_t offset);  // the bytes before it were refused
  // Call poll() between two calls: only poll() knows whether the next bytes would block.
  [[nodiscard]] bool polled() const { return polled_; }

 private:
  // How a successor knows what an interrupted write(2) has done.
  enum class Kind {
    kFile,    // by the position of the user's file
    kPipe,    // by that of the ring's own file, which the kernel moves together with the bytes
    kDevice,  // the same
    kPlain,   // it does not: a socket, another user's pipe
  };
  ssize_t send(const char* data, std::size_t size);
  void mark();

  int fd_ = -1;
  int ring_file_ = -1;
  RingPlace ring_;
  Kind kind_ = Kind::kPlain;
  std::uint64_t copied_ = 0;
  bool socket_ = false;
  bool polled_ = false;
};

}  // namespace gputop::run
