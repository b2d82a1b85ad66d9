// The same training with one change that saves memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/estimator/memory_model.hpp"

namespace gputop {

struct Variant {
  std::string name;  // "checkpointing", "amp"
  std::string note;  // what it costs, and how we know
  MemoryModel model;
};

// Those not in use yet. Without a shape in the setup, uses the savings that others measured. `samples`: the cost of a
// sample beyond the setup's, if the model is the setup's own; nullopt if it was measured or counted.
std::vector<Variant> variants(const std::optional<TrainingSetup>& setup,
                              const MemoryModel& model,
                              std::optional<double> samples);

}  // namespace gputop
