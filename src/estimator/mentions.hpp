// What an answer states besides its figures.
#pragma once

#include "gputop/estimator/estimate.hpp"

namespace gputop {

// What plain scaling would have predicted from the same measurements, and why the line is used instead.
void doubt(Estimate& answer, const std::optional<MemoryModel>& prior, std::uint64_t batch);

// A batch that changes the effective batch needs another learning rate; the rule depends on the optimizer.
void mention_learning_rate(Estimate& answer, const EstimateRequest& request);

// Names the default that matters most.
void mention_attention(Estimate& answer, const EstimateRequest& request, const std::optional<TrainingSetup>& setup);

// Everything that was not given, and what it was taken as.
void mention_assumed(Estimate& answer, const EstimateRequest& request, const std::optional<TrainingSetup>& setup);

// The table entry that a name was matched to, if it is not the whole name.
void mention_model(Estimate& answer, const EstimateRequest& request, const ModelTable& table);

}  // namespace gputop
