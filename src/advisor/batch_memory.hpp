// How much GPU memory a larger batch needs, and how certain that is. Calls the estimator.
#pragma once

#include <optional>
#include <string>

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

// Weights, gradients, optimizer state and context, from the number of parameters. nullopt: that is unknown.
std::optional<Bytes> likely_states(const SettingFacts& settings);
// The same without the context: the part that scales with the number of parameters.
std::optional<Bytes> state_bytes(const SettingFacts& settings);

class BatchMemory {
 public:
  // nullopt: the used memory or the total is unknown.
  static std::optional<BatchMemory> of(const Facts& facts, const Thresholds& limits);

  // Of the run's fullest GPU.
  [[nodiscard]] Bytes used() const { return used_; }
  [[nodiscard]] Bytes total() const { return total_; }
  // For this run, within the margin; excludes the neighbors' memory.
  [[nodiscard]] Bytes budget() const { return budget_; }

  // At a batch `ratio` times as large.
  [[nodiscard]] Bytes expected(double ratio) const;
  [[nodiscard]] Bytes at_most(double ratio) const;
  // Within the margin, or not larger than a batch that was seen to run.
  [[nodiscard]] bool fits(double ratio) const { return at_most(ratio) <= budget_ || ratio <= ran_; }
  // What scaling everything but the counted states, or a simple calculator's overhead, would give.
  [[nodiscard]] Bytes naive(double ratio) const;
  [[nodiscard]] bool measured() const { return measured_; }
  // The largest growth that fits.
  [[nodiscard]] double room() const;

  // "measured at 2 batch sizes", "counted by the lens", "if all of it grew with the batch".
  [[nodiscard]] std::string basis() const { return basis_; }

 private:
  Bytes used_;
  Bytes total_;
  Bytes budget_;
  double fixed_ = 0;  // bytes
  double grows_ = 0;  // bytes, at today's batch
  double most_fixed_ = 0;
  double most_grows_ = 0;
  double states_ = 0;  // bytes: parameters, gradients and optimizer, if counted
  double ran_ = 0;     // the largest batch seen to run in the free memory, relative to the current one
  bool measured_ = false;
  std::string basis_;
};

}  // namespace gputop
