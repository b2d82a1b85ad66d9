// Running a command with a GPU that is only believed in, and reading what it would have put there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {

struct RehearsalOptions {
  unsigned steps = 3;
  double timeout_seconds = 120;
  bool what_if = false;  // also with checkpointing, bf16 and a plain optimizer, where it fits as it is
  bool profile = false;  // for real, on the GPU here
  bool off = false;      // do not run CMD: from its files alone
};

struct RehearsalWish {
  std::vector<std::string> job;
  RehearsalOptions options;
  std::optional<TargetGpu> gpu;
  double batch_factor = 1;  // of every loader's batch
  std::string change;       // "", "checkpointing", "bf16", "sgd"
  bool brief = false;       // ends with the last step, without waiting for a validation
};

// Why this command is not run for an estimate, for people; "" when it may be: only Python's own programs are, since
// nothing else can be kept from doing what it does.
std::string why_no_rehearsal(const std::vector<std::string>& job);

// The error says what kept it from a whole step: its own words, or the time. Nothing is left of it.
Result<RehearsalTrace> rehearse(const RehearsalWish& wish);

}  // namespace gputop
