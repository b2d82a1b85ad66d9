// How fast something goes, from what is printed and from when it is printed; unknown until it is steady.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// The model. A run is a row of phases, each of one speed, parted by pauses (validation, checkpoints, an epoch's end)
// and by restarts, after which nothing that was seen before counts. Two witnesses tell the speed of the phase it is in:
//
// - What is printed. It may be an average that remembers: a pause, then it is too low and climbs; or a faster phase,
//   then it is too high and sinks. What is printed after a pause is believed once it is back at the speed before it, or
//   has come to rest at another one.
// - The clock, by which counts come. It remembers nothing, but it sees what nobody announced: a pause between two
//   prints makes it too slow. Intervals within an epoch are better than those that reach over an epoch's end.
//
// Where both agree, what is printed stands. Where it is lower, an average still remembers a pause: the clock stands.
// Where it is higher by as much as it always was, each interval has a pause that nobody announced: what is printed
// stands; where that has changed, the run has become slower, and the clock says by how much. A clock that is apart by a
// multiple is that of a transcript, which is read faster or slower than it was written.
class RateMeter {
 public:
  // `coarse`: one digit ("2ms/step"), which the clock refines. `by_bar`: by one that counts each step.
  void printed(double per_second, bool coarse, bool by_bar = false);
  // The count now is `count`.
  void counted(Instant at, double count);
  // Validation, an epoch's end, a checkpoint: the time until the next count is not that of a step.
  void pause();
  // So much of the time since the last count was something else than steps.
  void exclude(Duration paused);
  // It goes on from this count, at this moment: an epoch begins, or what paused it has ended.
  void goes_on(Instant at, double count);
  // The count begins anew behind `total`, with no pause that was announced.
  void wrapped(double total);
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
    bool whole = true;  // within an epoch, and with no pause in it
    [[nodiscard]] double each() const { return seconds / count; }
  };
  [[nodiscard]] bool is_at_rest() const;
  [[nodiscard]] bool is_of_all(double ratio) const;
  void learn_ratio();
  [[nodiscard]] Reading<double> by_print() const;
  [[nodiscard]] Reading<double> by_clock() const;
  [[nodiscard]] std::vector<Interval> current_phase() const;

  std::deque<double> printed_;
  std::vector<double> suspects_;  // printed since a pause, and clearly lower than before it
  bool coarse_ = false;
  bool by_bar_ = false;
  bool settling_ = false;  // since a pause, until a printed rate is believed
  std::deque<Interval> intervals_;
  std::size_t intervals_since_pause_ = 0;
  Interval open_;  // of what was counted before a pause, too little for an interval
  Reading<Instant> since_;
  double since_count_ = 0;
  Instant last_;  // count
  double last_count_ = 0;
  bool whole_ = true;           // the interval that is under way
  std::vector<double> ratios_;  // printed ÷ clock, of the first intervals in which both were steady
  Reading<double> ratio_;
};

}  // namespace gputop
