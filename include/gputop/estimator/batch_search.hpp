// Finds the batch to use: the largest that fits within the margin of the run's free memory, but not beyond the knee.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gputop/core/units.hpp"
#include "gputop/estimator/memory_model.hpp"

namespace gputop {

struct SearchLimits {
  Bytes memory;                                   // of the GPU
  Bytes free;                                     // of that, available to this run, without the neighbors' memory
  double margin = 0.85;                           // of what is free
  std::optional<std::uint64_t> max_batch;         // the user's
  std::optional<std::uint64_t> knee;              // of the throughput: a larger batch is hardly faster
  std::optional<std::uint64_t> dataset_cap;       // a larger batch leaves an epoch too few steps
  std::optional<std::uint64_t> current_batch;     // as it is now
  std::uint64_t accumulation = 1;                 // as it is now
  std::optional<std::uint64_t> effective_target;  // batch × accumulation to keep; nullopt: the current one
  unsigned multiple = 1;                          // preferred by the hardware
};

struct BatchChoice {
  std::string name;  // "recommended", "safe", …
  std::uint64_t batch = 0;
  std::uint64_t accumulation = 1;
  MemoryEstimate memory;
  double memory_percent = 0;  // of the GPU's memory
  std::string note;           // what limited it, what it costs
};

[[nodiscard]] Bytes budget(const SearchLimits& limits);

// How many micro-steps make up the effective batch without exceeding it; 1 if one batch already does.
std::uint64_t accumulation_for(const SearchLimits& limits, std::uint64_t batch);

// The choice at a given batch, whether or not it fits.
BatchChoice choice_at(const MemoryModel& model, const SearchLimits& limits, std::uint64_t batch, std::string name);

// nullopt: not even one sample fits. A batch that was measured to run is never refused because of the margin.
std::optional<BatchChoice> best_batch(const MemoryModel& model, const SearchLimits& limits);

// "safe" (fits at the upper end of the error band), "recommended", "max" (all free memory), "fallback" (if it does not
// fit after all).
std::vector<BatchChoice> batch_choices(const MemoryModel& model, const SearchLimits& limits);

// From the current batch to `target` in steps of at most ×4, because every step is a new measurement; one step if the
// target lies within what was measured (or less than ×2 beyond it).
std::vector<std::uint64_t> hops(const MemoryModel& model, std::uint64_t current, std::uint64_t target);

// The next batch after running out of memory at `batch`: 32 → 24 → 16 → 12 → 8; a quarter less for large batches.
std::uint64_t fallback_batch(std::uint64_t batch);

struct ThroughputPoint {
  std::uint64_t batch = 0;
  double samples_per_second = 0;
};
// The batch that reaches 90 % of the throughput of an infinite batch: fits step time = overhead + cost · batch to the
// points. nullopt with fewer than two batches, or if the points do not fit such a line.
std::optional<std::uint64_t> throughput_knee(std::span<const ThroughputPoint> points);

// 8 if tensor cores compute in 16 bits or TF32, otherwise 4.
unsigned batch_multiple(Precision precision);

}  // namespace gputop
