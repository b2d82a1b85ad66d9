// Bytes per parameter of weights, gradients and optimizer states.
#pragma once

#include "gputop/estimator/training_setup.hpp"

namespace gputop {

// A trained weight stays in fp32 under AMP; a frozen one is loaded in the 16 bits it is used in.
double weight_bytes(Precision precision, bool trained);
// Of all frozen parameters; `embeddings` is the part that is not quantized.
double frozen_bytes(double params, double embeddings, const TrainingSetup& setup);
double gradient_bytes(Precision precision);
double optimizer_bytes(OptimizerKind optimizer, Precision precision);
// Temporaries of the step itself (torch's default "foreach" implementation).
double step_scratch_bytes(OptimizerKind optimizer, Precision precision);

}  // namespace gputop
