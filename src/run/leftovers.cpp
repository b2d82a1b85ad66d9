#include "run/leftovers.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "gputop/run/shared_run.hpp"

namespace gputop::run {

void copy_leftovers(std::span<JobOutput> streams) {
  const auto closed = [](const JobOutput& stream) { return stream.is_closed(); };
  if (std::all_of(streams.begin(), streams.end(), closed) || ::fork() != 0) return;
  const JobOutput::Moment alone{.engine_done = true};
  while (!std::all_of(streams.begin(), streams.end(), closed)) {
    std::array<pollfd, kStreams> polls{};
    for (std::size_t i = 0; i < polls.size(); ++i) {
      const bool full = streams[i].wants_copy();
      polls[i] = {full ? streams[i].output() : streams[i].input(), static_cast<short>(full ? POLLOUT : POLLIN), 0};
    }
    ::poll(polls.data(), polls.size(), -1);
    for (auto& stream : streams) {
      stream.copy();
      if (stream.may_read(alone)) stream.read(alone);
    }
  }
  ::_exit(0);
}

}  // namespace gputop::run
