// The same training with one thing changed that saves memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/estimator/memory_model.hpp"

namespace gputop {

struct Variant {
  std::string name;  // "checkpointing", "amp"
  std::string note;  // what it costs, and how it is known
  MemoryModel model;
};

// Those that are not in use yet. Without a setup that has a shape the savings are those others saw. `samples`: what a
// sample costs beyond what the setup says, where the model is the setup's own; nullopt where it was measured or
// counted.
std::vector<Variant> variants(const std::optional<TrainingSetup>& setup,
                              const MemoryModel& model,
                              std::optional<double> samples);

}  // namespace gputop
