// What of a run's time goes into something else than training, as its output shows it: validation and checkpoints.
#pragma once

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// Between two lines of training there may be lines of validation and of saving. A line of validation is one of its
// progress, or its result, which stands at its end; a line of saving announces it ("Saving …") or reports it
// ("Saved …"). What is longer than the steps in between take is what they took.
class PauseMeter {
 public:
  // `over`: a result, or a bar at its end.
  void validates(Instant at, bool over, bool progress);
  // Gives what saving took, where it is known by now.
  void saves(Instant at, bool done);
  // Any line: what was announced before it has ended. Gives how long it took.
  Duration line(Instant at);
  // Training went on. `steps`: what the steps since the last such line take; unknown at first.
  void trains(Instant at, const Reading<Duration>& steps);

  // The output says that the run is at its validation, now.
  [[nodiscard]] bool is_validating() const { return validation_since_ && !over_; }
  // How long it has been at it, where its progress was shown; unknown where only its result was.
  [[nodiscard]] Reading<Duration> shown_validation(Instant at) const;
  [[nodiscard]] bool has_validated() const { return validation_since_.has_value(); }
  // When what was shown last ended, if nothing was shown of training since.
  [[nodiscard]] Reading<Instant> ended() const;
  [[nodiscard]] Duration validation() const { return validation_; }
  [[nodiscard]] Duration checkpoints() const { return checkpoints_; }
  [[nodiscard]] unsigned checkpoint_count() const { return count_; }

 private:
  Reading<Instant> trained_;           // the last line of training
  Reading<Instant> line_;              // the last line of all
  Reading<Instant> validation_since_;  // since training was last seen
  Instant validation_last_;
  bool over_ = false;
  bool shown_ = false;       // its progress, not only its result
  Reading<Instant> saving_;  // announced, and not over
  Duration saved_{};         // since training was last seen
  Reading<Instant> saved_at_;
  bool just_ended_ = false;  // the line that is read ended what was announced
  Duration validation_{};
  Duration checkpoints_{};
  unsigned count_ = 0;
};

}  // namespace gputop
