#include "viewer/end_request.hpp"

#include <poll.h>

#include <chrono>

#include "gputop/stream/unix_socket.hpp"
#include "gputop/viewer/protocol.hpp"

namespace gputop {

Status request_end(const std::string& socket_path, int signal) {
  constexpr std::chrono::milliseconds kPatience{1000};
  auto socket = connect_to(socket_path);
  if (!socket) return socket.error();
  const Error deaf{Error::Kind::kTimeout, "the run's engine does not answer at " + socket_path};
  if (!send_bytes(socket->get(), encode(EndRequested{static_cast<std::uint8_t>(signal)}))) return deaf;
  MessageDecoder decoder;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{socket->get(), POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return deaf;
    const auto received = receive_bytes(socket->get());
    decoder.feed(received.bytes);
    const auto message = decoder.next();
    if (message && *message && std::holds_alternative<Done>(**message)) return success();
    if (!message || received.closed) return deaf;
  }
}

}  // namespace gputop
