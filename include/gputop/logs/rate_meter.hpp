// How fast something goes, from what is printed and from when it is printed; unknown until it is steady.
#pragma once

#include <cstddef>
#include <deque>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Printed rates win over the clock's: a transcript may be read faster than it was written, and two clocks that agree
// need no second opinion. The clock decides where nothing is printed, or only one digit ("2ms/step").
class RateMeter {
 public:
  void printed(double per_second, bool coarse);
  // The count now is `count`.
  void counted(Instant at, double count);
  // Validation, an epoch's end, a checkpoint: the time until the next count is not that of a step, and the averages
  // that loggers print need a while to forget it.
  void pause();
  // It began anew: nothing seen so far counts.
  void reset();

  // A rate that is printed apart from the count, and so far above what the clock sees that it is of something else:
  // what a step is made of. What was printed like it before is forgotten, too.
  bool is_of_parts(double per_second);

  // Robust against single wild values; nullopt before it is steady.
  [[nodiscard]] Reading<double> per_second() const;

 private:
  struct Interval {
    double seconds = 0;
    double count = 0;
  };
  [[nodiscard]] Reading<double> by_print() const;
  [[nodiscard]] Reading<double> by_clock() const;

  std::deque<double> printed_;
  bool coarse_ = false;
  int settling_ = 0;  // printed rates that may still be ignored
  std::deque<Interval> intervals_;
  Reading<Instant> since_;
  double since_count_ = 0;
};

}  // namespace gputop
