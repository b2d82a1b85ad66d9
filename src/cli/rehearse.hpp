// Running a command with a GPU that is only believed in, and reading what it would have put there.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop::cli {

struct RehearsalWish {
  std::vector<std::string> job;
  RehearsalOptions options;
  std::optional<TargetGpu> gpu;
  double batch_factor = 1;  // of every loader's batch
  std::string change;       // "", "checkpointing", "bf16", "sgd"
};

// Why this command is not run for an estimate, for people; "" when it may be: only Python's own programs are, since
// nothing else can be kept from doing what it does.
std::string why_no_rehearsal(const std::vector<std::string>& job);

// The error says what kept it from a whole step: its own words, or the time. Nothing is left of it.
Result<RehearsalTrace> rehearse(const RehearsalWish& wish);

}  // namespace gputop::cli
