// How long a step would take with other settings, relative to its current duration.
//
// In a step the GPU computes (C), waits for the host (H), for copies (X) and for other ranks (M); the loader works in
// parallel and delivers a batch every P. With a batch r times as large, kernels g times as fast and W' instead of W
// workers:
//
//   step = max(serial, P·r·W/W')      serial = C·r/g + H + X·r + M             when the host's part adds up, or
//                                     serial = max(C + H, C·r/g) + X·r + M    when launching overlaps with computing
//
// Without workers, the loader's time adds to the step instead. Unknown inputs (whether idle time belongs to the host or
// the loader, how full the GPU is, how busy the loader is behind the GPU's work) are tried at both ends of their range.
// The answer is the range over all of them, so it widens with uncertainty, and a change that does not address the
// bottleneck gains nothing.
#pragma once

#include <vector>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/finding.hpp"

namespace gputop {

struct StepChange {
  double batch = 1;           // times as large
  Reading<unsigned> workers;  // instead of the current ones
  Speedup kernels{1, 1};      // computing gets this much faster
  double input = 1;           // the loader gets this much faster by other means
};

class StepModel {
 public:
  StepModel(const Facts& facts, const Diagnosis& diagnosis, const Thresholds& limits);

  // In samples per second.
  [[nodiscard]] Speedup speedup(const StepChange& change) const;
  // How busy the GPU would be. nullopt: its current load is unknown.
  [[nodiscard]] std::optional<Busy> busy(const StepChange& change) const;
  // Both, as the effect of a finding's changes.
  void foretell(Finding& finding, const StepChange& change) const;

  // Shares of the step (without pauses); unknown time belongs to none of them.
  [[nodiscard]] double compute() const { return compute_; }
  // Of a step: everything that is not waiting for the loader.
  [[nodiscard]] double serial() const { return serial_; }
  [[nodiscard]] Reading<unsigned> workers() const { return workers_; }
  // Upper bound of the loader's time for one batch by itself, in steps; what one worker would take.
  [[nodiscard]] Reading<double> worker_steps() const;

 private:
  // One possible assignment of the unknowns.
  struct World {
    double compute = 0;
    double host = 0;
    double wait = 0;    // for the loader
    double period = 0;  // P: the loader's own time per batch
    double fill = 1;    // of the additional work of a larger batch, the share that takes longer
    bool overlap = false;
    double kernels = 1;
    double loader = 1;  // how much slower new workers are than the old ones
  };
  [[nodiscard]] std::vector<World> worlds(const StepChange& change) const;
  [[nodiscard]] double step(const World& world, const StepChange& change) const;
  [[nodiscard]] static double compute_of(const World& world, const StepChange& change);

  bool watched_ = false;  // the GPU's utilization is known
  double compute_ = 0;
  double host_ = 0;
  double wait_ = 0;
  double transfer_ = 0;
  double communication_ = 0;
  double unknown_ = 0;
  double pauses_ = 0;
  double serial_ = 1;
  double launch_limit_ = 0;  // percent
  Reading<unsigned> workers_;
  Reading<double> duty_;    // of the loader, hidden behind the GPU's work
  Reading<double> growth_;  // of a step with its batch, from runs at other batch sizes: 0 not at all, 1 in proportion
};

}  // namespace gputop
