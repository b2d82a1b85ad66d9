// How fast a training step is on a card, from its peaks and its memory's bandwidth (configs/gpus.yaml). The constants
// were fitted to one half of the published runs and are checked on the other half by bench/speed.
#pragma once

#include <optional>

#include "gputop/estimator/gpu_table.hpp"
#include "gputop/estimator/step_work.hpp"

namespace gputop {

struct CardSpeed {
  double samples_per_second = 0;  // of one GPU; the GPU's own: a loader may be slower
  double low = 0;                 // four of five published runs lie between these
  double high = 0;
  std::optional<double> mfu;  // as a share of the peak of the precision that does most of the work
};

// nullopt: the table has no peak or no bandwidth for the card, or its tensor cores lack the precision.
std::optional<CardSpeed> speed_on(const GpuCard& card, const StepWork& work, double batch, double accumulation = 1);

}  // namespace gputop
