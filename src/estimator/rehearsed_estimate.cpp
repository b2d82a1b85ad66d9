#include "gputop/estimator/rehearsed_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

// Of 123 published runs that were rehearsed, 5 % needed more than this above the estimate (bench/estimator).
constexpr double kBand = 0.08;
// With one rehearsed batch, the growth with the batch is derived from the composition of the peak.
constexpr double kOnePointBand = 0.15;

std::optional<std::uint64_t> whole_fact(const RehearsalTrace& trace, std::string_view name) {
  const auto value = parse_count(trace.fact(name));
  return value && *value >= 1 && *value < 1e12 ? std::optional{static_cast<std::uint64_t>(*value)} : std::nullopt;
}

double held(const RehearsedMemory& memory, StorageKind kind) {
  return static_cast<double>(memory.at_peak.at(static_cast<std::size_t>(kind)).value());
}

Bytes peak_of(const RehearsedMemory& memory, RehearsalPhase phase) {
  return memory.phase_peaks.at(static_cast<std::size_t>(phase));
}

// What the allocator reserves per byte in use at the peak.
double reserve(const RehearsedMemory& memory) {
  return memory.peak_allocated > Bytes{} ? memory.peak_reserved / memory.peak_allocated : 1;
}

// The highest use of the forward and backward pass, including the context, with `share` reserved per byte in use.
Bytes passes(const RehearsedMemory& memory, double share, Bytes context) {
  const auto most = std::max({peak_of(memory, RehearsalPhase::kForward), peak_of(memory, RehearsalPhase::kBackward),
                              peak_of(memory, RehearsalPhase::kModel)});
  return most * share + context;
}

// A small run leaves much of its segments unused, and that share shrinks as it grows. Both points use the larger run's
// share; otherwise the line through them would be flat.
std::vector<std::pair<std::uint64_t, Bytes>> rehearsed_points(const RehearsalInput& input, const RehearsalAnswer& answer) {
  const std::uint64_t batch = *answer.batch;
  const std::uint64_t other_batch = input.other_batch ? whole_fact(*input.other_batch, "batch").value_or(batch) : batch;
  const auto other = other_batch != batch ? replay(*input.other_batch, input.options) : RehearsedMemory{};
  if (other.steps == 0) return {{batch, passes(answer.memory, reserve(answer.memory), answer.context)}};
  const double share = reserve(other_batch > batch ? other : answer.memory);
  std::vector<std::pair<std::uint64_t, Bytes>> points{{batch, passes(answer.memory, share, answer.context)},
                                                      {other_batch, passes(other, share, answer.context)}};
  std::sort(points.begin(), points.end());
  return points;
}

MemoryModel model_of(const RehearsalAnswer& answer) {
  MemoryModel model;
  model.level = EstimateLevel::kRehearsed;
  const auto& memory = answer.memory;
  model.fixed.parameters = held(memory, StorageKind::kParameters);
  model.fixed.gradients = held(memory, StorageKind::kGradients);
  model.fixed.optimizer = held(memory, StorageKind::kOptimizer);
  model.fixed.overhead = static_cast<double>(answer.context.value()) + held(memory, StorageKind::kWorkspace);
  const auto batch = static_cast<double>(answer.batch.value_or(1));
  model.sample.batch = held(memory, StorageKind::kBatch) / batch;
  double slope = (held(memory, StorageKind::kActivations) + held(memory, StorageKind::kTemporary)) / batch;
  model.error = kBand;
  model.why = "the command was run without a GPU, and every tensor it would have put there was counted";
  if (answer.points.size() > 1) {
    const auto& [a_batch, a] = answer.points.front();
    const auto& [b_batch, b] = answer.points.back();
    const auto grown = static_cast<double>(b.value()) - static_cast<double>(a.value());
    slope = std::max(0.0, grown / (static_cast<double>(b_batch) - static_cast<double>(a_batch)) - model.sample.batch);
  } else {
    const bool elsewhere = memory.peak.phase == RehearsalPhase::kOptimizer || memory.peak.phase == RehearsalPhase::kModel;
    if (elsewhere) {  // what grows is gone by then: all but the states of the highest moment before
      const auto most = std::max(peak_of(memory, RehearsalPhase::kForward), peak_of(memory, RehearsalPhase::kBackward));
      slope = std::max(0.0, static_cast<double>(most.value()) - model.fixed.parameters - model.fixed.optimizer) / batch;
    }
    model.steeper = {slope * kOnePointBand, batch};
  }
  model.sample.activations = slope;
  model.sample.validation = 0;
  // The remainder that makes the line pass through the rehearsed batch: what the allocator keeps, and constant
  // temporaries.
  const auto line = static_cast<double>(passes(memory, reserve(memory), answer.context).value());
  model.fixed.backward = line - model.fixed.states() - model.fixed.overhead - batch * (slope + model.sample.batch);
  const auto others = std::max(peak_of(memory, RehearsalPhase::kOptimizer), peak_of(memory, RehearsalPhase::kValidation));
  const auto step = static_cast<double>((others * reserve(memory) + answer.context).value());
  model.fixed.step_scratch = std::max(0.0, step - model.fixed.states() - model.fixed.overhead);
  return model;
}

// The probability that a normally distributed true value around the total exceeds the free memory.
double chance_above(double total, double band, double free) {
  const double spread = total * band / 1.645;  // the band holds 90 %
  return spread <= 0 ? (total > free ? 1 : 0) : 0.5 * std::erfc((free - total) / (spread * std::sqrt(2.0)));
}

// The smallest capacity in which the run does not fail, between what it uses and what it reserves without a limit.
std::uint64_t least_capacity(const RehearsalInput& input, const RehearsedMemory& memory) {
  constexpr std::uint64_t kNear = 32ULL << 20U;
  auto fails = memory.peak_allocated.value();
  auto fits = memory.peak_reserved.value();
  auto options = input.options;
  while (fits > fails + kNear) {
    options.capacity = fails + (fits - fails) / 2;
    (replay(input.first, options).fits ? fits : fails) = options.capacity;
  }
  return fits;
}

void judge(RehearsalAnswer& answer, const RehearsalInput& input, const TargetGpu& gpu) {
  const auto total = answer.memory.peak_reserved + answer.context;
  answer.needed = total;
  if (total * (1 + kBand) > gpu.free) answer.needed = Bytes{least_capacity(input, answer.memory)} + answer.context;
  answer.oom_chance = chance_above(static_cast<double>(answer.needed.value()), kBand, static_cast<double>(gpu.free.value()));
  answer.verdict = answer.needed * (1 + kBand) <= gpu.free  ? FitVerdict::kFits
                   : answer.needed * (1 - kBand) > gpu.free ? FitVerdict::kDoesNotFit
                                                            : FitVerdict::kNotSure;
  answer.cache_given_back = total > gpu.free && answer.verdict != FitVerdict::kDoesNotFit;
}

}  // namespace

std::string_view to_string(FitVerdict verdict) {
  constexpr std::array<std::string_view, 4> kWords{"unknown", "fits", "does not fit", "not sure"};
  return kWords.at(static_cast<std::size_t>(verdict));
}

Bytes cuda_context(std::string_view torch_version) {
  // Since CUDA 11.7, which came with torch 1.13, kernels are loaded on first use.
  const bool eager = torch_version.starts_with("1.") && !torch_version.starts_with("1.13");
  return Bytes{(eager ? 1400ULL : 550ULL) << 20U};
}

Estimate rehearsed_estimate(const RehearsalInput& input, EstimateRequest request, const std::optional<TargetGpu>& gpu) {
  RehearsalAnswer answer;
  answer.memory = replay(input.first, input.options);
  answer.torch = input.first.fact("torch");
  answer.context = cuda_context(answer.torch);
  const auto simulated = answer.memory.peak_reserved;
  const auto measured = whole_fact(input.first, "measured_reserved");
  answer.measured = measured.has_value();
  if (measured) {
    answer.memory.peak_reserved = Bytes{*measured};
    if (const auto bytes = whole_fact(input.first, "measured_allocated")) answer.memory.peak_allocated = Bytes{*bytes};
    if (const auto bytes = whole_fact(input.first, "measured_context")) answer.context = Bytes{*bytes};
  }
  answer.batch = whole_fact(input.first, "batch");
  const auto fed = answer.batch ? std::nullopt : whole_fact(input.first, "fed");
  if (fed) answer.batch = fed;
  answer.world = static_cast<unsigned>(std::min<std::uint64_t>(whole_fact(input.first, "world").value_or(1), 1U << 20U));
  answer.assumptions = input.first.assumptions;
  if (answer.batch) answer.points = rehearsed_points(input, answer);
  if (gpu) judge(answer, input, *gpu);
  for (const auto& [name, trace] : input.changed) {
    const auto memory = replay(trace, input.options);
    const auto changed = memory.peak_reserved + answer.context;
    answer.what_if.push_back({name, changed, !gpu || changed * (1 + kBand) <= gpu->free});
  }
  const auto asked = std::exchange(request.batch, answer.batch);
  if (!request.dataset) request.dataset = whole_fact(input.first, "samples");
  const auto model = model_of(answer);
  // Without a batch there is nothing to search for, but whether it fits is still known.
  auto estimate = estimate_with(model, request, answer.batch ? gpu : std::nullopt);
  if (measured) {
    estimate.model.why = "the command was run on the GPU here, and every tensor it put there was counted";
    estimate.notes.push_back("measured on the GPU: " + format_bytes(Bytes{*measured}) + " reserved at most; the simulated allocator reserves " +
                             format_bytes(simulated));
  }
  estimate.gpu = gpu;
  if (answer.batch) estimate.work = work_of(input.first, *answer.batch);
  if (asked && answer.batch && *asked != *answer.batch)
    estimate.notes.push_back("batch " + std::to_string(*asked) + " is in the configuration, but the loader fed " +
                             std::to_string(*answer.batch) + ": that was rehearsed");
  if (fed)
    estimate.notes.push_back("no DataLoader fed the steps: the batch was taken as " + std::to_string(*fed) +
                             ", the first dimension of what the model was given");
  if (gpu && !answer.batch) {
    estimate.limits.memory = gpu->memory;
    estimate.limits.free = gpu->free;
    estimate.limits.margin = request.margin.value_or(estimate.limits.margin);
    estimate.notes.push_back("no DataLoader fed the steps, so the batch is not known, and none was searched for");
  }
  estimate.rehearsal = std::move(answer);
  return estimate;
}

}  // namespace gputop
