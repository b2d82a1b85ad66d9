// The batch to try next: at most four times as large, within memory, with accumulation and learning rate adjusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/batch_memory.hpp"
#include "advisor/situation.hpp"

namespace gputop {

struct BatchPlan {
  double ratio = 1;
  std::vector<Change> changes;  // batch size first
  std::string memory;           // "about 6.1 GiB of 24.0 GiB (counted by the lens)"
  std::string then;             // the next step
  Risk risk;
};

// A plan, or the reason why there is none (for a veto).
struct BatchAnswer {
  std::optional<BatchPlan> plan;
  std::string refusal;
};
BatchAnswer larger_batch(const Situation& situation);

// After the memory was too small: three quarters, then a half, then three eighths.
std::vector<std::uint64_t> smaller_batches(std::uint64_t batch);

}  // namespace gputop
