// What an answer says beside its figures.
#pragma once

#include "gputop/estimator/estimate.hpp"

namespace gputop {

// What plain scaling would have made of the same measurements, and why the line is believed instead.
void doubt(Estimate& answer, const std::optional<MemoryModel>& prior, std::uint64_t batch);

// A batch that changes the effective batch wants another learning rate; the rule depends on the optimizer.
void mention_learning_rate(Estimate& answer, const EstimateRequest& request);

// The default that changes most is said aloud.
void mention_attention(Estimate& answer, const EstimateRequest& request, const std::optional<TrainingSetup>& setup);

// The entry of the table that a name was taken for, where that is not all of the name.
void mention_model(Estimate& answer, const EstimateRequest& request, const ModelTable& table);

}  // namespace gputop
