#include "gputop/stream/job_replay.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace gputop {
namespace {

// Each recording stays open while it is played, and a job may have a thousand.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

double due(double began, const Event& event) {
  return began + to_seconds(event.at.time_since_epoch());
}

}  // namespace

Result<JobReplay> JobReplay::open(const std::vector<std::string>& files, JobWatch& watch) {
  allow_many_files();
  JobReplay replay;
  std::vector<WallTime> began;
  for (const auto& file : files) {
    auto reader = RecordingReader::open(file);
    if (!reader) return reader.error();
    reader->expect_open();
    auto& rank = replay.ranks_.emplace_back(Rank{*std::move(reader)});
    rank.next = rank.reader.next();
    const auto* started = rank.next != nullptr ? std::get_if<StreamStarted>(&rank.next->payload) : nullptr;
    began.push_back(started != nullptr ? started->wall : WallTime::max());
  }
  if (began.empty()) return replay;
  const auto first = *std::min_element(began.begin(), began.end());
  for (std::size_t i = 0; i < began.size(); ++i) {
    if (began[i] != WallTime::max()) replay.ranks_[i].began = to_seconds(std::chrono::duration_cast<Duration>(began[i] - first));
  }
  watch.follow(files, 0);
  return replay;
}

bool JobReplay::play(JobWatch& watch, double seconds) {
  bool more = false;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    auto& rank = ranks_[i];
    for (; rank.next != nullptr && due(rank.began, *rank.next) <= seconds; rank.next = rank.reader.next()) {
      const double at = due(rank.began, *rank.next);
      watch.take(i, *rank.next, at);
      position_ = std::max(position_, at);
    }
    more = more || rank.next != nullptr;
  }
  return more;
}

}  // namespace gputop
