// Measures the effect of a change while the run continues: its steady speed before and after. Excludes validation,
// pauses and the start of a launch on both sides. Pure: time comes with the model.
#pragma once

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "gputop/tuning/change_effect.hpp"

namespace gputop {

class ChangeMeasure {
 public:
  // Takes every event, after the model was updated: replaying a recording restores the writing engine's state. Calls
  // the functions below.
  void heard(const Event& event, const Model& model);

  // Call after every reading of the GPUs.
  void look(const Model& model);

  // A change is about to be made: what was seen so far is the baseline.
  void set_before(const Model& model);
  // The change is in force. `relaunched`: in a new process, from its beginning.
  void begin(Instant now, bool relaunched);
  void stop() { since_.reset(); }
  [[nodiscard]] bool is_on() const { return since_.has_value(); }

  // How much longer to observe the run so that a change can be compared. Zero: enough was seen. nullopt: no training
  // step was seen.
  [[nodiscard]] Reading<Duration> until_comparable(Instant now, bool same_batch) const;

  struct Outcome {
    Reading<ChangeEffect> effect;  // nullopt: there was nothing to compare
    std::string_view unit;         // of the comparison: "samples/s", …
  };
  // Set once it is known. `same_batch`: a step is as much work as before.
  [[nodiscard]] Reading<Outcome> outcome(Instant now, bool same_batch) const;

 private:
  enum Unit : std::size_t { kSamples, kTokens, kSteps, kUtilization, kUnits };
  struct Figure {
    Instant at;
    double value = 0;
  };
  using Figures = std::array<std::deque<Figure>, kUnits>;
  struct Sides {
    Figures recent;  // the last minute
    Figures early;   // the first minute of the launch, after its warm-up
  };

  void put(Unit unit, Instant at, double value);
  void training_began();
  [[nodiscard]] Duration until_enough(Unit unit, Instant now) const;
  void reported(Instant at, const ChangeReported& report, const Model& model);
  void look_at_lens(const Model& model);
  void look_at_output(const Model& model);
  [[nodiscard]] std::vector<double> after(Unit unit) const;
  [[nodiscard]] Reading<ChangeEffect> effect(Unit unit) const;

  Sides seen_;  // of this launch
  Sides before_;
  std::array<Reading<Instant>, kUnits> first_;  // figure of this launch, or since begin()
  Reading<Instant> since_;
  std::int64_t run_pid_ = 0;
  // The inputs of the last figures.
  struct LensMoment {
    std::int64_t pid = 0;
    unsigned loader = 0;
    Instant at;
    std::uint64_t batches = 0;
    double seconds = 0;
  };
  Reading<LensMoment> lens_;
  struct PrintedMoment {
    Instant at;
    std::uint64_t step = 0;
    std::uint64_t advances = 0;
    unsigned restarts = 0;
    Reading<double> epoch;
  };
  Reading<PrintedMoment> printed_;
};

}  // namespace gputop
