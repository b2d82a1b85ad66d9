// Memory as a function of the batch: what is fixed, what each sample adds, and how sure that is. One value for all
// three levels, so that the search, the advisor and the report ask the same questions of each.
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
  double backward = 0;      // counted among the activations, but does not grow: gradients that nobody named
  double overhead = 0;      // CUDA context, libraries' workspaces, communication buffers
  double step_scratch = 0;  // temporaries of the optimizer step, on top of the states
  [[nodiscard]] double states() const { return parameters + gradients + optimizer; }
};

// Bytes each sample adds.
struct SampleMemory {
  double activations = 0;
  double batch = 0;       // its input data on the GPU
  double validation = 0;  // a forward pass without gradients
};

// Where part of what is taken as fixed may grow after all: the line may be steeper, and turns around the batch it is
// sure of.
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
  double slope_error = 0;           // of what a sample adds, where it rests on one measured point alone
  bool parts_known = true;          // false: only the total is, as a line
  std::vector<MemoryPoint> points;  // that were measured, by batch
  std::string why;                  // where the figures come from, in one sentence
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
  std::optional<MemoryParts> parts;  // of the forward/backward phase; nullopt: not known apart
  Bytes forward_backward;
  Bytes optimizer_step;
  Bytes validation;
  PeakPhase peak = PeakPhase::kForwardBackward;
  Bytes total;       // of the peak
  Bytes at_most;     // should the line be steeper: what a search has to fit; the total otherwise
  double error = 0;  // the truth is expected within total · (1 ± error)
};

// Pure and cheap (a few dozen multiplications): the search calls it per step.
MemoryEstimate memory_at(const MemoryModel& model, std::uint64_t batch);

// Samples that cost `factor` times as much.
void scale_samples(MemoryModel& model, double factor);

// From the shape alone.
MemoryModel analytic_model(const TrainingSetup& setup);

// From what the lens counted in one step.
struct LensBytes {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  double activations_per_sample = 0;
  std::optional<Bytes> overhead;  // what NVML showed beyond torch's own figure
};
MemoryModel lens_model(const LensBytes& counted);

// A line through what was observed. One point needs `prior` for the part that does not grow; without it that is a
// guess, and the worst case, in which all of it grows, is in the band and what a search has to fit. No points: nullopt.
std::optional<MemoryModel> measured_model(std::vector<MemoryPoint> points, const MemoryModel* prior = nullptr);

// What simple scaling of the smallest measured point would say: (peak − fixed) ÷ batch, times the batch. `fixed` is the
// prior's, or kPlainOverhead. nullopt without a measured point.
std::optional<Bytes> naive_scaling(const MemoryModel& measured, const MemoryModel* prior, std::uint64_t batch);

// A CUDA context and the libraries' workspaces; others measured 0.42 to 1.34 GiB. Used only where nothing was measured.
inline constexpr Bytes kDefaultOverhead{768ULL << 20U};

// What plain calculators put in for context and framework, where they know nothing of the model.
inline constexpr Bytes kPlainOverhead{1536ULL << 20U};

// Of a peak of which nothing else is known, the share that stays when the batch grows. Published runs measured at
// several batches (bench/data) and the seeds' have 0.59 to 0.98 at their smaller one; the low end, since too little is
// not noticed until it is too late.
inline constexpr double kLikelyFixedShare = 0.6;

}  // namespace gputop
