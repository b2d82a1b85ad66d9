// Estimates how much of our output is still in transit, from the kernel's pace when its buffer was full.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace gputop::term {

// Knows nothing (and holds nothing back) until the buffer was full once. The time is passed in.
class LineModel {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void wrote(std::size_t bytes, Time now);
  void was_full(Time now);
  void frame_done(Time now);  // all bytes of a frame are in the kernel

  // When the terminal will have read everything; nullopt while no limit is known or everything has been read.
  [[nodiscard]] std::optional<Time> drained_at(Time now) const;
  [[nodiscard]] std::optional<double> bytes_per_second() const { return rate_; }

 private:
  [[nodiscard]] double backlog(Time now) const;

  std::optional<double> rate_;
  double backlog_ = 0;  // at updated_
  Time updated_;
  bool full_ = false;  // during this frame
  Time full_since_;
  double taken_since_full_ = 0;
};

}  // namespace gputop::term
