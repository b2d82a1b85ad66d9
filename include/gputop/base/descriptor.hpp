// File descriptors with an owner. Nothing here allocates; the keeper relies on that.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace gputop {

// Closes its descriptor unless it was released. -1: none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  // False with errno: the kernel could not write everything (NFS, quotas).
  bool close() { return ::close(release()) == 0; }

 private:
  int fd_ = -1;
};

// A pipe, close-on-exec, with further `flags` of pipe2(2). Both ends are empty, with errno, if none could be opened.
struct Pipe {
  Descriptor reader;
  Descriptor writer;

  static Pipe open(int flags = 0) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC | flags) != 0) return {};
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
  }
  explicit operator bool() const { return static_cast<bool>(reader); }
};

}  // namespace gputop
