#include "run/leftovers.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "gputop/run/shared_run.hpp"
#include "run/clocks.hpp"

namespace gputop::run {

void copy_leftovers(std::span<JobOutput> streams) {
  // Late enough for one that was about to be retried.
  const JobOutput::Moment alone{.now = monotonic_ms() + 1000, .job_gone = true, .engine_done = true};
  const auto read_all = [&] {
    for (auto& stream : streams) {
      if (stream.wants_copy()) stream.copy();
      if (stream.may_read(alone)) stream.read(alone);
    }
    return std::all_of(streams.begin(), streams.end(), [](const JobOutput& stream) { return stream.is_closed(); });
  };
  if (read_all() || ::fork() != 0) return;
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);  // the keeper handled it differently
  ::sigprocmask(SIG_UNBLOCK, &ends, nullptr);
  do {
    std::array<pollfd, kStreams> polls{};
    for (std::size_t i = 0; i < polls.size(); ++i) {
      const bool full = streams[i].wants_copy();
      polls[i] = {full ? streams[i].output() : streams[i].input(), static_cast<short>(full ? POLLOUT : POLLIN), 0};
    }
    ::poll(polls.data(), polls.size(), -1);
  } while (!read_all());
  ::_exit(0);
}

}  // namespace gputop::run
