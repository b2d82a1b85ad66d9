// The complete answer to a request: the level used, memory at a batch, the best batch, alternatives, steps, stages.
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
#include "gputop/estimator/step_work.hpp"

namespace gputop {

// The GPU that has to hold it.
struct TargetGpu {
  std::string name;  // "RTX 3090", "24 GiB"
  Bytes memory;
  Bytes free;  // for this run
  std::optional<ComputeCapability> capability;
};

// A stage of a curriculum: what differs from the rest.
struct StageRequest {
  std::string name;
  EstimateRequest changes;
  double sample_factor = 1;  // cost of a sample relative to the request's (more positives and negatives, …)
  std::optional<std::uint64_t> positives;  // per anchor, if the stage says so
  std::optional<std::uint64_t> negatives;
};

struct StageEstimate {
  std::string name;
  std::optional<std::uint64_t> batch;    // as configured
  std::optional<MemoryEstimate> memory;  // at that batch
  std::optional<BatchChoice> best;
  std::string room;  // "n_positives 16 → 32, n_negatives 8 → 16": as many as fit at the batch of the first step
};

struct Estimate {
  MemoryModel model;
  std::optional<MemoryModel> prior;      // the estimate without the measurements
  std::optional<MemoryEstimate> stated;  // at the request's batch, or at the best one
  std::optional<TargetGpu> gpu;
  SearchLimits limits;
  std::optional<BatchChoice> best;  // fits all stages; nullopt: nothing does, or the GPU is not known
  std::vector<BatchChoice> alternatives;
  std::vector<BatchChoice> steps;  // from the request's batch to the best one
  std::vector<StageEstimate> stages;
  std::vector<BatchChoice> models;  // the same with a larger or a smaller model, at the batch of the first step
  std::optional<Bytes> naive;  // what scaling one measured point per sample would say for stated
  std::optional<RehearsalAnswer> rehearsal;  // for a rehearsed level
  std::optional<StepWork> work;              // nullopt: nothing says what a step computes
  std::vector<std::string> notes;
};

// The setup that a request describes. The error names the key that is missing or invalid.
Result<TrainingSetup> training_setup(const EstimateRequest& request, const ModelTable& models);

// The first step towards the best batch: what to do next. Requires a best batch.
const BatchChoice& first_step(const Estimate& estimate);

// Whether the current configuration fits, at both ends of its band; unknown if the GPU or the batch is unknown.
FitVerdict fit_verdict(const Estimate& estimate);

// How the current configuration uses the GPU's memory: "underused: 18 % …", "good use: …", "does not fit"; "" if it has
// no batch or the GPU is unknown.
std::string memory_verdict(const Estimate& estimate);

// How much faster it is than at the current batch, in samples per second: from not at all (the GPU is already busy) to
// proportional (it waits), or as measured. nullopt: there is no current batch, or it is the same.
struct SpeedRange {
  double low = 1;
  double high = 1;
};
std::optional<SpeedRange> speed_of(const Estimate& estimate, const BatchChoice& choice);

// nullopt: the request describes only measured points, not a model.
bool describes_model(const EstimateRequest& request);

Result<Estimate> estimate(const EstimateRequest& request,
                          const std::vector<StageRequest>& stages,
                          const ModelTable& models,
                          const std::optional<TargetGpu>& gpu);

// The answer for a memory model that is already known, from a rehearsal.
Estimate estimate_with(const MemoryModel& model, const EstimateRequest& request, const std::optional<TargetGpu>& gpu);

}  // namespace gputop
