#include "sources/gpu_log/log_stream.hpp"

#include <algorithm>
#include <utility>

namespace gputop::gpu_log {
namespace {

constexpr std::size_t kMostErrors = std::size_t{1} << 20U;

}  // namespace

void LogStream::add(std::optional<WallTime> wall, std::vector<LogReading> gpus) {
  if (gpus.empty()) return;
  simulated_ = simulated_ || gpus.front().gpu.uuid.starts_with("GPU-SIM-");  // gputop --csv over a simulation
  if (wall) {
    if (!first_) first_ = wall;
    now_ = std::max(now_, Instant{*wall - *first_});
    ++timed_;
  }
  ++rounds_;
  GpusSampled sampled;
  sampled.gpus.reserve(gpus.size());
  for (auto& [gpu, unread] : gpus) {
    for (auto& cell : unread) {
      gpu.error += (gpu.error.empty() ? "" : "; ") + cell.text;
      if (log_.errors.size() < kMostErrors)
        log_.errors.push_back({now_, gpu.index, std::move(cell.metric), std::move(cell.text)});
    }
    sampled.gpus.push_back(std::move(gpu));
  }
  log_.events.push_back({now_, std::move(sampled)});
}

// Spaces rounds one second apart so that they stay in order; these times are never shown.
void LogStream::count_moments() {
  now_ = Instant{};
  for (auto& event : log_.events) {
    event.at = now_;
    now_ += std::chrono::seconds{1};
  }
  if (!log_.events.empty()) now_ = log_.events.back().at;
  for (auto& error : log_.errors) error.at = Instant{};  // the time is unknown
}

SmiLog LogStream::finish(const std::string& source, const std::string& hostname, const std::string& driver) {
  // One date above all of them is none of theirs.
  constexpr std::size_t kFew = 3;
  const bool advances = rounds_ < kFew || now_ > Instant{};
  const bool timed = timed_ > 0 && timed_ * 2 >= rounds_ && advances;
  if (!timed) count_moments();
  // Times without a day, or relative to the log's start, do not say when it was recorded.
  const bool dated = first_ && *first_ > WallTime{std::chrono::years{10}};
  StreamStarted started{.wall = dated ? *first_ : WallTime{},
                        .gputop_version = GPUTOP_VERSION,
                        .hostname = hostname,
                        .interval = {},
                        .timed = timed};
  if (timed && rounds_ > 1) started.interval = now_.time_since_epoch() / static_cast<Duration::rep>(rounds_ - 1);
  if (!timed) {
    log_.notes.emplace_back(timed_ == 0
                                ? "no times in it: how long it took, and the energy, are not known"
                                : "most readings have no time: how long it took, and the energy, are not known");
  }
  const Event head[] = {
      {Instant{}, started},
      {Instant{},
       SourceStatus{
           .source = source, .message = "", .driver_version = driver, .simulated = simulated_, .screened = true}}};
  log_.events.insert(log_.events.begin(), std::begin(head), std::end(head));
  log_.events.push_back({now_, StreamEnded{"the log ends here"}});
  return std::move(log_);
}

void Rounds::at(std::optional<WallTime> wall) {
  finish_round();
  wall_ = wall;
}

void Rounds::add(LogReading gpu) {
  if (current(gpu.gpu.index) != nullptr) finish_round();
  round_.push_back(std::move(gpu));
}

GpuReading* Rounds::current(unsigned index) {
  const auto found =
      std::find_if(round_.begin(), round_.end(), [&](const LogReading& known) { return known.gpu.index == index; });
  return found == round_.end() ? nullptr : &found->gpu;
}

void Rounds::finish_round() {
  if (round_.empty()) return;
  stream_.add(std::exchange(wall_, std::nullopt), std::exchange(round_, {}));
}

}  // namespace gputop::gpu_log
