// The run's sockets, private to the user. The viewers' socket is a stream whose first bytes can carry descriptors; the
// lens's socket preserves message boundaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/base/descriptor.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

enum class SocketKind { kStream, kMessages };

// Replaces whatever is at the path. Mode 0600, non-blocking.
Result<Descriptor> listen_at(const std::string& path, SocketKind kind = SocketKind::kStream);
Result<Descriptor> connect_to(const std::string& path);
// The same without waiting, also when sending: a peer that does not accept (stopped, hung) is an error.
Result<Descriptor> connect_at_once(const std::string& path);
// The next connection from this user; nullopt: none, or another user (whose connection is closed).
std::optional<Descriptor> accept_own(int listener);
// The PID of the peer in our namespace; 0: it is not visible from here.
std::int64_t peer_process(int socket);

// Sends everything, or returns false: the peer is gone or does not read.
bool send_bytes(int socket, std::string_view bytes, int descriptor = -1);

struct Received {
  std::string bytes;
  Descriptor descriptor;  // if one was attached
  bool closed = false;
};
Received receive_bytes(int socket);

}  // namespace gputop
