// Plays the recordings of a job together, each at the time its node's clock gave it.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/store/recording_reader.hpp"
#include "gputop/stream/job_watch.hpp"

namespace gputop {

class JobReplay {
 public:
  // Errors: a recording cannot be read. `watch` must be empty; its members are then these files, in this order.
  static Result<JobReplay> open(const std::vector<std::string>& files, JobWatch& watch);

  // Gives `watch` everything of the first `seconds` of the job. False: there is no more.
  bool play(JobWatch& watch, double seconds);
  // Seconds from the job's beginning to the last event played.
  [[nodiscard]] double position() const { return position_; }

 private:
  struct Rank {
    RecordingReader reader;
    const Event* next = nullptr;  // not played yet; nullptr: at its end
    double began = 0;             // seconds after the first of the job
  };

  std::vector<Rank> ranks_;
  double position_ = 0;
};

}  // namespace gputop
