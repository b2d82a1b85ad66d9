// A file descriptor that closes itself, and system calls' errors as ours.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "gputop/core/result.hpp"

namespace gputop::patch {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ != -1) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ != -1; }

 private:
  int fd_;
};

// "writing /a/b: No space left on device"
Error failed(std::string_view doing, const std::filesystem::path& path, int reason);

Result<std::string> read_all(int fd, const std::filesystem::path& path);
Status write_all(int fd, std::string_view text, const std::filesystem::path& path);  // and onto the disk

}  // namespace gputop::patch
