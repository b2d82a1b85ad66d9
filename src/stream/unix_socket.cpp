#include "gputop/stream/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gputop/base/files.hpp"

namespace gputop {
namespace {

Error failure(const std::string& what, const std::string& path) {
  Error error = os_error(what + " " + path);
  if (errno == ECONNREFUSED) error.kind = Error::Kind::kNotFound;
  return error;
}

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return Error{Error::Kind::kInvalid, path + ": too long for a socket (set XDG_RUNTIME_DIR to a shorter path)"};
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

std::optional<ucred> credentials(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

}  // namespace

Result<Descriptor> listen_at(const std::string& path, SocketKind kind) {
  const auto address = address_of(path);
  if (!address) return address.error();
  const int type = kind == SocketKind::kStream ? SOCK_STREAM : SOCK_SEQPACKET;
  Descriptor socket{::socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!socket) return failure("cannot create the socket", path);
  ::unlink(path.c_str());
  const auto* raw = reinterpret_cast<const sockaddr*>(&*address);
  ::fchmod(socket.get(), 0600);  // before it becomes visible
  if (::bind(socket.get(), raw, sizeof *address) != 0 || ::listen(socket.get(), 64) != 0) {
    return failure("cannot listen at", path);
  }
  return socket;
}

namespace {

Result<Descriptor> connect_with(const std::string& path, int flags) {
  const auto address = address_of(path);
  if (!address) return address.error();
  Descriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0)};
  const auto* raw = reinterpret_cast<const sockaddr*>(&*address);
  if (!socket || ::connect(socket.get(), raw, sizeof *address) != 0) return failure("cannot reach", path);
  return socket;
}

}  // namespace

Result<Descriptor> connect_to(const std::string& path) {
  return connect_with(path, 0);
}

Result<Descriptor> connect_at_once(const std::string& path) {
  return connect_with(path, SOCK_NONBLOCK);
}

std::optional<Descriptor> accept_own(int listener) {
  Descriptor socket{::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
  if (!socket) return std::nullopt;
  const auto peer = credentials(socket.get());
  if (!peer || (peer->uid != ::geteuid() && peer->uid != 0)) return std::nullopt;
  return socket;
}

std::int64_t peer_process(int socket) {
  const auto peer = credentials(socket);
  return peer ? peer->pid : 0;
}

bool send_bytes(int socket, std::string_view bytes, int descriptor) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  while (!bytes.empty()) {
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* const header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    descriptor = -1;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Received receive_bytes(int socket) {
  Received received;
  std::array<char, 16384> bytes{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return received;
  if (count <= 0) {
    received.closed = true;
    return received;
  }
  received.bytes.assign(bytes.data(), static_cast<std::size_t>(count));
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len >= CMSG_LEN(sizeof(int))) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    received.descriptor = Descriptor{descriptor};
  }
  return received;
}

}  // namespace gputop
