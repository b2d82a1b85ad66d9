// Memory as a function of the batch: the fixed part, what each sample adds, and the uncertainty. One type for all
// levels, so the search, the advisor and the report query them in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/units.hpp"
#include "gputop/estimator/training_setup.hpp"

namespace gputop {

enum class EstimateLevel : std::uint8_t { kAnalytic, kLens, kMeasured, kRehearsed };
std::string_view to_string(EstimateLevel level);  // "analytic", "lens", "measured", "rehearsed"

// The phases of a training step; the peak is the largest of them, not their sum.
enum class PeakPhase : std::uint8_t { kForwardBackward, kOptimizerStep, kValidation };
std::string_view to_string(PeakPhase phase);  // "forward_backward", …

struct MemoryPoint {
  std::uint64_t batch = 0;
  Bytes peak;
  bool operator==(const MemoryPoint&) const = default;
};

// Bytes that do not depend on the batch.
struct FixedMemory {
  double parameters = 0;
  double gradients = 0;
  double optimizer = 0;
  double backward = 0;      // counted as activations but constant: unnamed gradients
  double overhead = 0;      // CUDA context, libraries' workspaces, communication buffers
  double step_scratch = 0;  // temporaries of the optimizer step, in addition to the states
  [[nodiscard]] double states() const { return parameters + gradients + optimizer; }
};

// Bytes each sample adds.
struct SampleMemory {
  double activations = 0;
  double batch = 0;       // its input data on the GPU
  double validation = 0;  // a forward pass without gradients
};

// Part of what is assumed fixed may grow after all: the line may be steeper, pivoting around the batch that is certain.
struct Steeper {
  double bytes_per_sample = 0;
  double batch = 0;
};

struct MemoryModel {
  EstimateLevel level = EstimateLevel::kAnalytic;
  FixedMemory fixed;
  SampleMemory sample;
  Steeper steeper;
  double slack = 0;                 // of everything: what the caching allocator reserves beyond what is used
  double error = 0;                 // half the band, as a share of the total
  double slope_error = 0;           // of what a sample adds, if based on a single measured point
  bool parts_known = true;          // false: only the total is known, as a line
  std::vector<MemoryPoint> points;  // that were measured, by batch
  std::string why;                  // the origin of the figures, in one sentence
};

struct MemoryParts {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations;
  Bytes batch;
  Bytes overhead;
};

struct MemoryEstimate {
  std::uint64_t batch = 0;
  std::optional<MemoryParts> parts;  // of the forward/backward phase; nullopt: unknown
  Bytes forward_backward;
  Bytes optimizer_step;
  Bytes validation;
  PeakPhase peak = PeakPhase::kForwardBackward;
  Bytes total;       // of the peak
  Bytes at_most;     // if the line is steeper: what a search must fit; otherwise the total
  double error = 0;  // the true value is expected within total · (1 ± error)
};

// Pure and cheap (a few dozen multiplications): the search calls it at every step.
MemoryEstimate memory_at(const MemoryModel& model, std::uint64_t batch);

// For samples that cost `factor` times as much.
void scale_samples(MemoryModel& model, double factor);

// From the shape alone.
MemoryModel analytic_model(const TrainingSetup& setup);

// From the lens's counts of one step.
struct LensBytes {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  double activations_per_sample = 0;
  std::optional<Bytes> overhead;  // what NVML showed beyond torch's own figure
};
MemoryModel lens_model(const LensBytes& counted);

// A line through the observations. With one point it needs `prior` for the fixed part; without that, the fixed part is
// a guess, and the worst case, in which everything grows, is within the band and is what a search must fit. No points:
// nullopt.
std::optional<MemoryModel> measured_model(std::vector<MemoryPoint> points, const MemoryModel* prior = nullptr);

// What simple scaling of the smallest measured point would give: (peak − fixed) ÷ batch, times the batch. `fixed` is
// the prior's, or kPlainOverhead. nullopt without a measured point.
std::optional<Bytes> naive_scaling(const MemoryModel& measured, const MemoryModel* prior, std::uint64_t batch);

// A CUDA context and the libraries' workspaces; published values range from 0.42 to 1.34 GiB. Used only if nothing was
// measured.
inline constexpr Bytes kDefaultOverhead{768ULL << 20U};

// What simple calculators assume for context and framework if they know nothing about the model.
inline constexpr Bytes kPlainOverhead{1536ULL << 20U};

// The share of an otherwise unexplained peak that stays when the batch grows. Published runs measured at several
// batches (bench/data), and the seeds', have 0.59 to 0.98 at their smaller batch. This is the low end, because an
// underestimate is noticed too late.
inline constexpr double kLikelyFixedShare = 0.6;

}  // namespace gputop
