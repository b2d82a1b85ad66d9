#include "gputop/stream/stream_started.hpp"

#include <unistd.h>

#include <array>
#include <chrono>

namespace gputop {

Event stream_started(Duration interval) {
  std::array<char, 256> hostname{};
  if (::gethostname(hostname.data(), hostname.size() - 1) != 0) hostname[0] = '\0';
  return {Instant{}, StreamStarted{
                         .wall = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()),
                         .gputop_version = GPUTOP_VERSION,
                         .hostname = hostname.data(),
                         .interval = interval,
                     }};
}

}  // namespace gputop
