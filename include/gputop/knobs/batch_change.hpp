// What a new batch size, accumulation or global batch takes along: accumulation so that the effective batch stays, or the
// learning rate and the step counts when it is to be scaled. Arithmetic only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/training.hpp"

namespace gputop::knobs {

enum class BatchPolicy : std::uint8_t { kKeepEffective, kScale };

struct BatchSettings {
  std::int64_t batch = 1;         // of one rank, one step
  std::int64_t accumulation = 1;  // 1 where there is none
  bool can_accumulate = false;    // there is a place to change it
  bool says_accumulation = false;  // there is a place that says it
  bool unknown_accumulation = false;  // there is one, but what it comes to is not known: 1 is no more than a stand-in
  bool keeps_steps = false;  // the rate falls at steps that are listed: a count of all of them that shrinks would miss these
  std::optional<std::uint64_t> ranks;  // nullopt: not known
  // Where the project states the product itself. It stays what it is unless it is asked for: the framework accumulates as
  // often as it takes, or, where accumulation is stated, too, that one follows.
  std::optional<std::int64_t> global_batch;
  // The run accumulates by itself until it has seen so many samples, and what says so.
  std::optional<std::int64_t> nominal;
  std::string nominal_by;
  std::optional<double> learning_rate;
  std::string rate_scaled_by;  // what scales it with the batch already; "" when nothing does
  std::optional<OptimizerKind> optimizer;
  std::optional<std::int64_t> warmup_steps;
  std::optional<std::int64_t> max_steps;
};

struct BatchChange {
  std::optional<std::int64_t> accumulation;  // nullopt: stays
  std::optional<std::int64_t> global_batch;
  std::optional<double> learning_rate;
  double learning_rate_factor = 1;  // by which it changes; other learning rates go along
  std::optional<std::int64_t> warmup_steps;
  std::optional<std::int64_t> max_steps;
  std::vector<std::string> notes;  // what follows from what, for people
};

// Four digits: nobody writes 0.0014142135623730952 into a configuration.
double scaled_rate(double rate, double factor);

// What the user asked for; at least one.
struct BatchWish {
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> accumulation;
  std::optional<std::int64_t> global_batch;
  bool sets_learning_rate = false;  // the request names a learning rate of its own: nothing is done about it
  std::optional<double> learning_rate = {};  // that one; where it follows the optimizer's rule, that is said
};

// Error: numbers that do not go together, and that the framework would refuse.
Result<BatchChange> follow_batch(const BatchSettings& now, const BatchWish& wish, BatchPolicy policy);

}  // namespace gputop::knobs
