// How long a step would last with other settings, relative to how long it lasts now.
//
// In a step the GPU computes (C), waits for the host (H), for copies (X) and for other ranks (M); the loader works in
// parallel and delivers a batch every P. With a batch r times as large, kernels g times as fast and W' instead of W
// workers:
//
//   step = max(serial, P·r·W/W')      serial = C·r/g + H + X·r + M             when the host's part adds up, or
//                                     serial = max(C + H, C·r/g) + X·r + M    when launching overlaps with computing
//
// Without workers the loader's time is in line with the step instead. What is not known (whether idle time is the
// host's or the loader's, how full the GPU is, how busy the loader is behind the GPU's work) is tried at both ends of
// what it can be: the answer is the range over all of them, so it widens with ignorance, and a change that does not
// touch the bottleneck gains nothing.
#pragma once

#include <vector>

#include "gputop/advisor/diagnosis.hpp"
#include "gputop/advisor/finding.hpp"

namespace gputop {

struct StepChange {
  double batch = 1;           // times as large
  Reading<unsigned> workers;  // instead of those there are
  Speedup kernels{1, 1};      // computing gets this much faster
  double input = 1;           // the loader gets this much faster by other means
};

class StepModel {
 public:
  StepModel(const Facts& facts, const Diagnosis& diagnosis, const Thresholds& limits);

  // In samples per second.
  [[nodiscard]] Speedup speedup(const StepChange& change) const;
  // How busy the GPU would be. nullopt: how busy it is now is not known.
  [[nodiscard]] std::optional<Busy> busy(const StepChange& change) const;
  // Both, as what a finding's changes bring.
  void foretell(Finding& finding, const StepChange& change) const;

  // Shares of the step (pauses left out); what is unknown counted to none.
  [[nodiscard]] double compute() const { return compute_; }
  // Of a step: everything that is not waiting for the loader.
  [[nodiscard]] double serial() const { return serial_; }
  [[nodiscard]] Reading<unsigned> workers() const { return workers_; }
  // A loader's time for one batch by itself, in steps, at most; what one worker would take.
  [[nodiscard]] Reading<double> worker_steps() const;

 private:
  // One way in which all could be.
  struct World {
    double compute = 0;
    double host = 0;
    double wait = 0;    // for the loader
    double period = 0;  // P: the loader's own time per batch
    double fill = 1;    // of the work that comes with a larger batch, the share that takes longer
    bool overlap = false;
    double kernels = 1;
    double loader = 1;  // how much slower new workers are than the old ones
  };
  [[nodiscard]] std::vector<World> worlds(const StepChange& change) const;
  [[nodiscard]] double step(const World& world, const StepChange& change) const;
  [[nodiscard]] static double compute_of(const World& world, const StepChange& change);

  bool watched_ = false;  // the GPU's utilisation is known
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
  Reading<double> duty_;  // of the loader behind the GPU's work
  Reading<double>
      growth_;  // of a step with its batch, as runs at other batch sizes showed: 0 not at all, 1 in proportion
};

}  // namespace gputop
