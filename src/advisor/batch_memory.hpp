// What a larger batch needs of a GPU's memory, and how sure that is. Where the estimator is asked.
#pragma once

#include <optional>
#include <string>

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/thresholds.hpp"

namespace gputop {

// Weights, gradients, the optimizer's state and the context, by the number of parameters. nullopt: that is not known.
std::optional<Bytes> likely_states(const SettingFacts& settings);
// The same without the context: what goes with the number of parameters.
std::optional<Bytes> state_bytes(const SettingFacts& settings);

class BatchMemory {
 public:
  // nullopt: what is used, or what there is, is not known.
  static std::optional<BatchMemory> of(const Facts& facts, const Thresholds& limits);

  // Of the fullest GPU of the run.
  [[nodiscard]] Bytes used() const { return used_; }
  [[nodiscard]] Bytes total() const { return total_; }
  // For this run, within the margin; neighbours' memory is not in it.
  [[nodiscard]] Bytes budget() const { return budget_; }

  // At a batch `ratio` times as large.
  [[nodiscard]] Bytes expected(double ratio) const;
  [[nodiscard]] Bytes at_most(double ratio) const;
  // Within the margin, or not larger than a batch that was seen to run.
  [[nodiscard]] bool fits(double ratio) const { return at_most(ratio) <= budget_ || ratio <= ran_; }
  // What scaling everything but the counted states, or a plain calculator's overhead, would say.
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
  double states_ = 0;  // bytes: parameters, gradients and optimizer, as far as they were counted
  double ran_ = 0;     // the largest batch that was seen to run in what is free, against today's
  bool measured_ = false;
  std::string basis_;
};

}  // namespace gputop
