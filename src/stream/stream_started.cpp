#include "gputop/stream/stream_started.hpp"

#include <unistd.h>

#include <array>
#include <chrono>

#include "gputop/config/environment.hpp"
#include "gputop/job/identity.hpp"

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

std::optional<Event> job_joined(const std::vector<std::string>& argv, const Model& model) {
  auto job = job::read_identity(process_environment(), argv, model.stream.hostname);
  if (!job) return std::nullopt;
  return Event{model.now, *std::move(job)};
}

}  // namespace gputop
