// The user's own stdout or stderr, written to without ever blocking the writer and without changing it for others.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace gputop::run {

class UserOutput {
 public:
  // Takes any open descriptor (-1: none); may reopen it, so that O_NONBLOCK is set on our own description only.
  void open(int fd);
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int fd() const { return fd_; }
  // As write(2). Ask poll() between two calls if polled(): only it knows whether the next bytes would block.
  ssize_t write(const char* data, std::size_t size) const;
  [[nodiscard]] bool polled() const { return polled_; }

 private:
  int fd_ = -1;
  bool socket_ = false;
  bool polled_ = false;
};

}  // namespace gputop::run
