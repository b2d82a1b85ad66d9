// The run's sockets, private to the user: the viewers' is a stream, and descriptors can travel with its first bytes;
// the lens's keeps messages apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// A descriptor that closes itself.
class SocketFd {
 public:
  SocketFd() = default;
  explicit SocketFd(int fd) : fd_(fd) {}
  SocketFd(SocketFd&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  SocketFd& operator=(SocketFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~SocketFd();
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_ = -1;
};

enum class SocketKind { kStream, kMessages };

// Replaces what stands at the path. Mode 0600, non-blocking.
Result<SocketFd> listen_at(const std::string& path, SocketKind kind = SocketKind::kStream);
Result<SocketFd> connect_to(const std::string& path);
// The same without waiting, and so is what is sent: one who does not accept (stopped, hung) is an error.
Result<SocketFd> connect_at_once(const std::string& path);
// The next one who comes, if it is this user; nullopt: nobody, or a stranger (who is sent away).
std::optional<SocketFd> accept_own(int listener);
// The process at the other end, as it is numbered here; 0: it is not visible from here.
std::int64_t peer_process(int socket);

// All of it, or false: the peer is gone or does not read.
bool send_bytes(int socket, std::string_view bytes, int descriptor = -1);

struct Received {
  std::string bytes;
  SocketFd descriptor;  // if one came along
  bool closed = false;
};
Received receive_bytes(int socket);

}  // namespace gputop
