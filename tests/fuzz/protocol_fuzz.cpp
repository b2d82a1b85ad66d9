// libFuzzer: any bytes from the run's socket, cut anywhere; what is understood says the same when it is sent again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/viewer/protocol.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gputop::Message;
  using gputop::MessageDecoder;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  MessageDecoder decoder;
  while (!bytes.empty()) {
    const std::size_t piece = 1 + static_cast<unsigned char>(bytes.front()) % 37;
    bytes.remove_prefix(1);
    decoder.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (true) {
      const auto next = decoder.next();
      if (!next) return 0;  // the peer broke the rules: the connection is closed
      if (!*next) break;
      MessageDecoder again;
      again.feed(gputop::encode(**next));
      const auto same = again.next();
      if (!same || !*same || **same != **next) std::abort();
    }
  }
  return 0;
}
