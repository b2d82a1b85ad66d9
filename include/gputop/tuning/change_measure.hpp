// The effect of a change, measured while the run goes on: its steady speed before and after. Validation, pauses and the
// first moments of a launch are left out on both sides. Pure: time comes with the model.
#pragma once

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "gputop/tuning/change_effect.hpp"

namespace gputop {

class ChangeMeasure {
 public:
  // Every event, after the model was updated: a recording brings it as far as the engine was that wrote it. The
  // functions below are what it makes of them.
  void heard(const Event& event, const Model& model);

  // After every reading of the GPUs.
  void look(const Model& model);

  // A change is about to be made: what was seen until now is what it is compared with.
  void set_before(const Model& model);
  // It is in force. `relaunched`: in a new process, which begins at its beginning.
  void begin(Instant now, bool relaunched);
  void stop() { since_.reset(); }
  [[nodiscard]] bool is_on() const { return since_.has_value(); }

  // How much longer the run should be watched as it is, so that a change made then can be compared. Zero: enough was
  // seen. nullopt: no step of its training was.
  [[nodiscard]] Reading<Duration> until_comparable(Instant now, bool same_batch) const;

  struct Outcome {
    Reading<ChangeEffect> effect;  // nullopt: there was nothing to compare
    std::string_view unit;         // of what was compared: "samples/s", …
  };
  // Once it is known. `same_batch`: a step is as much work as it was.
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
  // What the last figures were made from.
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
