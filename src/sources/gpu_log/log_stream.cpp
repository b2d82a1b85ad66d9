#include "sources/gpu_log/log_stream.hpp"

#include <algorithm>

namespace gputop::gpu_log {

void LogStream::add(std::optional<WallTime> wall, std::vector<GpuReading> gpus) {
  if (gpus.empty()) return;
  simulated_ = simulated_ || gpus.front().uuid.starts_with("GPU-SIM-");  // gputop --csv over a simulation
  if (wall) {
    if (!first_) first_ = wall;
    now_ = std::max(now_, Instant{*wall - *first_});
  } else if (rounds_ > 0) {
    now_ += std::chrono::seconds{1};
  }
  ++rounds_;
  log_.events.push_back({now_, GpusSampled{std::move(gpus)}});
}

SmiLog LogStream::finish(const std::string& source, const std::string& hostname, const std::string& driver) {
  // Times that name no day, or count from the log's begin, do not say when it was.
  const bool dated = first_ && *first_ > WallTime{std::chrono::years{10}};
  StreamStarted started{
      .wall = dated ? *first_ : WallTime{}, .gputop_version = GPUTOP_VERSION, .hostname = hostname, .interval = {}};
  if (rounds_ > 1) started.interval = now_.time_since_epoch() / static_cast<Duration::rep>(rounds_ - 1);
  if (!first_) log_.notes.emplace_back("no timestamps: taken as one reading a second");
  const Event head[] = {
      {Instant{}, started},
      {Instant{}, SourceStatus{.source = source, .message = "", .driver_version = driver, .simulated = simulated_}}};
  log_.events.insert(log_.events.begin(), std::begin(head), std::end(head));
  log_.events.push_back({now_, StreamEnded{"the log ends here"}});
  return std::move(log_);
}

}  // namespace gputop::gpu_log
