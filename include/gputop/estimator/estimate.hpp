// The whole answer to a request: the level used, the memory at a batch, the best batch, alternatives, steps, stages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/estimator/batch_search.hpp"
#include "gputop/estimator/gpu_table.hpp"
#include "gputop/estimator/model_table.hpp"
#include "gputop/estimator/rehearsal.hpp"
#include "gputop/estimator/request.hpp"

namespace gputop {

// The GPU that must hold it.
struct TargetGpu {
  std::string name;  // "RTX 3090", "24 GiB"
  Bytes memory;
  Bytes free;  // for this run
  std::optional<ComputeCapability> capability;
};

// A stage of a curriculum: what it has different from the rest.
struct StageRequest {
  std::string name;
  EstimateRequest changes;
  double sample_factor = 1;  // cost of a sample against that of the request (more positives and negatives, …)
  std::optional<std::uint64_t> positives;  // of each anchor, where the stage says
  std::optional<std::uint64_t> negatives;
};

struct StageEstimate {
  std::string name;
  std::optional<std::uint64_t> batch;    // as it is configured
  std::optional<MemoryEstimate> memory;  // at that batch
  std::optional<BatchChoice> best;
  std::string room;  // "n_positives 16 → 32, n_negatives 8 → 16": as many as fit at the batch of the first step
};

struct Estimate {
  MemoryModel model;
  std::optional<MemoryModel> prior;      // what would be said without the measurements
  std::optional<MemoryEstimate> stated;  // at the request's batch, else at the best one
  std::optional<TargetGpu> gpu;
  SearchLimits limits;
  std::optional<BatchChoice> best;  // fits all stages; nullopt: nothing does, or the GPU is not known
  std::vector<BatchChoice> alternatives;
  std::vector<BatchChoice> steps;  // from the request's batch to the best one
  std::vector<StageEstimate> stages;
  std::vector<BatchChoice> models;  // the same with a larger or a smaller model, at the batch of the first step
  std::optional<Bytes> naive;  // what scaling one measured point per sample would say for stated
  std::optional<RehearsalAnswer> rehearsal;  // where the level is that
  std::vector<std::string> notes;
};

// The setup a request describes. An error names the key that is missing or does not fit.
Result<TrainingSetup> training_setup(const EstimateRequest& request, const ModelTable& models);

// The first hop towards the best batch: what to do next. Only where there is a best one.
const BatchChoice& first_step(const Estimate& estimate);

// Whether the configuration as it is fits, at both ends of its band; unknown where the GPU or the batch is.
FitVerdict fit_verdict(const Estimate& estimate);

// Of the GPU's memory, what the configuration as it is makes of it: "underused: 18 % …", "good use: …", "does not fit";
// "" where it has no batch or the GPU is not known.
std::string memory_verdict(const Estimate& estimate);

// How much faster than at the batch it has now, in samples a second: from not at all (a GPU that is busy already) to in
// proportion (one that waits), or by what was measured. nullopt: it has none, or it is the same.
struct SpeedRange {
  double low = 1;
  double high = 1;
};
std::optional<SpeedRange> speed_of(const Estimate& estimate, const BatchChoice& choice);

// nullopt: the request describes no model, only measured points.
bool describes_model(const EstimateRequest& request);

Result<Estimate> estimate(const EstimateRequest& request,
                          const std::vector<StageRequest>& stages,
                          const ModelTable& models,
                          const std::optional<TargetGpu>& gpu);

// The answer for a model of the memory that is known already: a rehearsal's.
Estimate estimate_with(const MemoryModel& model, const EstimateRequest& request, const std::optional<TargetGpu>& gpu);

}  // namespace gputop
