// What a training step asks of a GPU: operations, bytes moved, kernels launched. The speed on any card follows from it.
#pragma once

#include <cstdint>
#include <optional>

#include "gputop/estimator/rehearsal.hpp"
#include "gputop/estimator/training_setup.hpp"

namespace gputop {

// Forward and backward pass of one sample; `kernels` and `update_bytes` are those of a whole step.
struct StepWork {
  double half_flops = 0;       // dense products in 16 bits
  double tf32_flops = 0;       // in fp32, where the tensor cores may round the inputs (convolutions by default)
  double fp32_flops = 0;       // in fp32 proper
  double grouped_flops = 0;    // of grouped convolutions, which reach a part of the peak only
  double bytes = 0;            // read and written
  double scattered_bytes = 0;  // of that, by depthwise convolutions
  double kernels = 0;
  double update_bytes = 0;  // of the optimizer
  double model_flops = 0;   // without what checkpointing computes twice: what MFU counts
};

// nullopt: nothing says how many operations the model has.
std::optional<StepWork> work_of(const TrainingSetup& setup);

// From the operations of the last rehearsed step. nullopt: it has none.
std::optional<StepWork> work_of(const RehearsalTrace& trace, std::uint64_t batch);

}  // namespace gputop
