// The parts of a RunChannel.
#pragma once

#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gputop/run/inherited.hpp"
#include "gputop/run/run_channel.hpp"
#include "run/fds.hpp"
#include "run/ring.hpp"
#include "run/shared_map.hpp"

namespace gputop::run {

struct RunChannel::Parts {
  RunFds fds;
  SharedMap shared;
  std::array<RingReader, kStreams> readers;
  Inherited inherited;
  std::vector<std::string> engine_arguments;
  std::uint64_t generation = 0;
  Descriptor keeper;  // pidfd
  mutable std::array<pid_t, 3> listed{};
  pid_t own_holder = -1;  // our child
  std::optional<ControlMessage> follow;  // the last request to the keeper: its successor must know it too

  ~Parts() {
    for (const int fd : fds.all()) {
      if (fd >= 0) ::close(fd);
    }
  }
};

}  // namespace gputop::run
