// Assembles the answer: see estimate.hpp.
#include "gputop/estimator/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "estimator/mentions.hpp"
#include "estimator/other_models.hpp"
#include "estimator/parts.hpp"
#include "estimator/variants.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {
namespace {

struct Models {
  std::optional<TrainingSetup> setup;
  std::optional<MemoryModel> prior;
  MemoryModel model;
  double factor = 1;  // cost of a sample in this stage beyond the setup's; included in the model
};

// Memory that grows faster than the batch was not measured on one and the same run.
Status check_measured(const std::vector<MemoryPoint>& points) {
  constexpr double kNoise = 1.25;
  for (const auto& [small, less] : points) {
    for (const auto& [large, more] : points) {
      if (small == 0 || large <= small ||
          more / less <= kNoise * static_cast<double>(large) / static_cast<double>(small))
        continue;
      return Error{Error::Kind::kInvalid,
                   "measured: memory grows from " + format_bytes(less) + " at batch " + std::to_string(small) + " to " +
                       format_bytes(more) + " at batch " + std::to_string(large) +
                       ", faster than the batch: one of the two is wrong (measure each in a process of its own)"};
    }
  }
  return success();
}

Result<Models> models_for(const EstimateRequest& request, const ModelTable& table) {
  if (const auto sane = check_measured(request.measured); !sane) return sane.error();
  Models models;
  if (describes_model(request)) {
    auto setup = training_setup(request, table);
    if (!setup) return setup.error();
    models.prior = analytic_model(*setup);
    models.setup = *std::move(setup);
  }
  if (!request.parts.empty()) {
    auto sum = with_parts(models.prior ? &*models.prior : nullptr, request, table);
    if (!sum) return sum.error();
    models.prior = *std::move(sum);
    models.setup.reset();  // of one model; the sum has its own description
  }
  const auto* prior = models.prior ? &*models.prior : nullptr;
  auto measured = measured_model(request.measured, prior);
  if (!measured && prior == nullptr) {
    return Error{Error::Kind::kInvalid,
                 "nothing says what is trained: give --model NAME, a shape (--params --layers --hidden --seq), "
                 "--components with --per-sample, or --measured BATCH:SIZE"};
  }
  models.model = measured ? *std::move(measured) : *models.prior;
  return models;
}

SearchLimits limits_for(const EstimateRequest& request, const TargetGpu& gpu) {
  SearchLimits limits;
  limits.memory = gpu.memory;
  limits.free = gpu.free;
  limits.margin = request.margin.value_or(limits.margin);
  limits.max_batch = request.max_batch;
  limits.knee = throughput_knee(request.throughput);
  constexpr std::uint64_t kEpochSteps = 90;  // same as epoch_steps in advisor.yaml
  if (request.dataset)  // which the batch as it is has to live with already
    limits.dataset_cap = std::max({std::uint64_t{1}, request.batch.value_or(1), *request.dataset / kEpochSteps});
  limits.current_batch = request.batch;
  limits.accumulation = request.accumulation.value_or(1);
  limits.effective_target = request.effective_target;
  limits.multiple = batch_multiple(request.precision.value_or(Precision::kFp32));
  return limits;
}

// The request as it applies to this stage.
EstimateRequest with(EstimateRequest request, const EstimateRequest& changes) {
  if (changes.batch) request.batch = changes.batch;
  if (changes.accumulation) request.accumulation = changes.accumulation;
  if (changes.sequence) request.sequence = changes.sequence;
  if (changes.resolution) request.resolution = changes.resolution;
  if (changes.per_sample) request.per_sample = changes.per_sample;
  if (changes.precision) request.precision = changes.precision;
  if (changes.checkpointing) request.checkpointing = changes.checkpointing;
  return request;
}

// The cost of a sample in the stage: from its own shape if known, and the factor.
Result<Models> stage_models(const StageRequest& stage,
                            const EstimateRequest& request,
                            const Models& whole,
                            const ModelTable& table) {
  constexpr double kUnseenSamples = 0.15;
  Models result = whole;
  auto& model = result.model;
  auto& factor = result.factor;
  factor = stage.sample_factor;
  if (whole.prior) {
    auto own = models_for(with(request, stage.changes), table);
    if (!own) return Error{own.error().kind, "stage " + stage.name + ": " + own.error().message};
    if (model.level == EstimateLevel::kAnalytic) {
      model = own->model;
      result.setup = own->setup;
    } else if (whole.prior->sample.activations > 0) {
      factor *= own->prior->sample.activations / whole.prior->sample.activations;
    }
  }
  scale_samples(model, factor);
  if (factor != 1 && model.level == EstimateLevel::kMeasured) {  // the points were measured with other samples
    model.level = EstimateLevel::kAnalytic;
    model.points.clear();
    model.error = kUnseenSamples;
  }
  return result;
}

std::string mismatch(const TargetGpu& gpu, Precision precision) {
  const bool needs_ampere =
      precision == Precision::kBf16 || precision == Precision::kAmpBf16 || precision == Precision::kTf32;
  if (!needs_ampere || !gpu.capability || gpu.capability->major >= 8) return {};
  return gpu.name + " has compute capability " + std::to_string(gpu.capability->major) + "." +
         std::to_string(gpu.capability->minor) + "; " + std::string{to_string(precision)} + " needs 8.0";
}

// One row per stage, and what each is based on.
Result<std::vector<Models>> add_stages(Estimate& answer,
                                       const std::vector<StageRequest>& stages,
                                       const EstimateRequest& request,
                                       const Models& models,
                                       const ModelTable& table) {
  std::vector<Models> all;
  for (const auto& stage : stages) {
    auto found = stage_models(stage, request, models, table);
    if (!found) return found.error();
    const auto own = with(request, stage.changes);
    StageEstimate row;
    row.name = stage.name;
    row.batch = own.batch;
    if (own.batch) row.memory = memory_at(found->model, *own.batch);
    if (answer.gpu) row.best = best_batch(found->model, limits_for(own, *answer.gpu));
    answer.stages.push_back(std::move(row));
    all.push_back(*std::move(found));
  }
  return all;
}

// One batch for the whole configuration: the smallest of the stages' best ones. Returns its stage, which all other
// searches use.
const Models& fit_all_stages(Estimate& answer, const Models& whole, const std::vector<Models>& stages) {
  const auto* hungriest = &whole;
  for (std::size_t i = 0; i < stages.size() && answer.best; ++i) {
    const auto& stage = answer.stages[i];
    if (!stage.best) {
      answer.best.reset();
      answer.notes.push_back("stage " + stage.name + " fits no batch at all");
      hungriest = &stages[i];
    } else if (stage.best->batch < answer.best->batch) {
      answer.best = stage.best;
      answer.best->note = "limited by stage " + stage.name;
      hungriest = &stages[i];
    }
  }
  return *hungriest;
}

// Positives and negatives per anchor, as many as fit at the batch of the first step: at most ×4, like any step.
void add_room(Estimate& answer, const std::vector<StageRequest>& stages, const std::vector<Models>& models) {
  constexpr double kHop = 4;
  if (!answer.best) return;
  const auto batch = first_step(answer).batch;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto& stage = stages[i];
    const auto pairs = stage.positives.value_or(0) + stage.negatives.value_or(0);
    if (pairs == 0) continue;
    const auto fits = [&](double times) {
      auto model = models[i].model;
      model.points.clear();
      scale_samples(model, times);
      return memory_at(model, batch).total <= budget(answer.limits);
    };
    const auto own = static_cast<double>(1 + pairs);
    double times = 1;  // of the pairs
    for (double next = 1.25; next <= kHop; next += 0.25) {
      if (fits((1 + static_cast<double>(pairs) * next) / own)) times = next;
    }
    if (times == 1) continue;
    const auto say = [&](const char* name, const std::optional<std::uint64_t>& count) {
      if (!count || *count == 0) return;
      const auto to = static_cast<std::uint64_t>(static_cast<double>(*count) * times);
      answer.stages[i].room += (answer.stages[i].room.empty() ? "" : ", ") + std::string{name} + " " +
                               std::to_string(*count) + " → " + std::to_string(to);
    };
    say("n_positives", stage.positives);
    say("n_negatives", stage.negatives);
  }
}

// The wanted batch × accumulation; nullopt: there is no accumulation and no target.
std::optional<std::uint64_t> wanted_effective(const SearchLimits& limits) {
  if (limits.effective_target) return limits.effective_target;
  if (!limits.current_batch || limits.accumulation < 2) return std::nullopt;
  return *limits.current_batch * limits.accumulation;
}

std::uint64_t divisor_up_to(std::uint64_t number, std::uint64_t most) {
  auto divisor = std::clamp<std::uint64_t>(most, 1, number);
  while (number % divisor != 0) --divisor;
  return divisor;
}

// A user who accumulates has chosen an effective batch: the best batch is one that gives exactly that, unless it wastes
// half of what fits. With an explicit target, the largest batch below it stays the best, and the exact one is an
// alternative.
void keep_effective(Estimate& answer, const MemoryModel& model) {
  const auto target = wanted_effective(answer.limits);
  if (!target || *target % answer.best->batch == 0) return;
  const auto exact = divisor_up_to(*target, answer.best->batch);
  const auto kept = [&](std::uint64_t batch, const char* name) {
    auto choice = choice_at(model, answer.limits, batch, name);
    choice.note = "keeps the effective batch at exactly " + std::to_string(*target);
    return choice;
  };
  const bool wasteful = 2 * exact < std::min(answer.best->batch, *target);
  if (answer.limits.effective_target || wasteful) {
    answer.alternatives.push_back(kept(exact, "exact"));
    return;
  }
  auto largest = *std::exchange(answer.best, kept(exact, "recommended"));
  largest.name = "largest";
  largest.note = "makes the effective batch " + std::to_string(largest.batch * largest.accumulation);
  for (auto& choice : answer.alternatives) {
    if (choice.name == "recommended" || (choice.name == "safe" && choice.batch > exact)) choice = kept(exact, choice.name.c_str());
    if (choice.name != "fallback" || exact == 1) continue;
    const auto note = choice.note;
    choice = choice_at(model, answer.limits, divisor_up_to(*target, exact - 1), "fallback");
    choice.note = note;
  }
  const bool larger = std::any_of(answer.alternatives.begin(), answer.alternatives.end(),
                                  [](const BatchChoice& choice) { return choice.name == "largest"; });
  if (!larger) answer.alternatives.push_back(std::move(largest));
}

// Also applies to a sum of parts, which has no setup of its own.
bool in_use(const EstimateRequest& request, std::string_view variant) {
  const auto precision = request.precision.value_or(Precision::kFp32);
  if (variant == "amp") return precision != Precision::kFp32 && precision != Precision::kTf32;
  return variant == "checkpointing" && request.checkpointing.value_or(Checkpointing::kNone) != Checkpointing::kNone;
}

// Returns what the batch was searched for: the whole, or the largest of the stages.
const MemoryModel& search(Estimate& answer,
                          const EstimateRequest& request,
                          const Models& whole,
                          const std::vector<Models>& stages) {
  answer.limits = limits_for(request, *answer.gpu);
  answer.best = best_batch(whole.model, answer.limits);
  if (!answer.best) answer.notes.push_back("not even a batch of 1 fits within the margin of what is free");
  const auto& models = fit_all_stages(answer, whole, stages);
  answer.alternatives = batch_choices(models.model, answer.limits);
  const bool analytic = whole.model.level == EstimateLevel::kAnalytic;
  const bool guess =
      whole.model.level != EstimateLevel::kRehearsed;  // what a rehearsal says about others is rehearsed too
  if (guess) {
    for (auto& variant : variants(models.setup, models.model, analytic ? std::optional{models.factor} : std::nullopt)) {
      auto choice = best_batch(variant.model, answer.limits);
      if (!choice || in_use(request, variant.name)) continue;
      choice->name = variant.name;
      choice->note = variant.note;
      answer.alternatives.push_back(*std::move(choice));
    }
  }
  if (answer.best) keep_effective(answer, models.model);
  if (request.batch && answer.best && answer.best->batch > *request.batch) {
    for (const auto batch : hops(models.model, *request.batch, answer.best->batch)) {
      answer.steps.push_back(choice_at(models.model, answer.limits, batch, "step"));
    }
  }
  if (auto note = mismatch(*answer.gpu, request.precision.value_or(Precision::kFp32)); !note.empty()) {
    answer.notes.push_back(std::move(note));
  }
  return models.model;
}

}  // namespace

Result<Estimate> estimate(const EstimateRequest& request,
                          const std::vector<StageRequest>& stages,
                          const ModelTable& table,
                          const std::optional<TargetGpu>& gpu) {
  auto models = models_for(request, table);
  if (!models) return models.error();
  Estimate answer;
  answer.model = models->model;
  answer.gpu = gpu;
  if (models->setup) answer.work = work_of(*models->setup);
  const auto of_stages = add_stages(answer, stages, request, *models, table);
  if (!of_stages) return of_stages.error();
  const auto& searched = gpu ? search(answer, request, *models, *of_stages) : models->model;
  if (gpu) add_room(answer, stages, *of_stages);
  if (answer.best) {
    answer.models = other_models(request, table, answer.model, answer.limits, first_step(answer).batch);
  }
  if (answer.model.level == EstimateLevel::kMeasured) answer.prior = models->prior;
  auto batch = request.batch;
  if (!batch && answer.best) batch = answer.best->batch;
  if (batch) {
    answer.stated = memory_at(request.batch ? answer.model : searched, *batch);
    doubt(answer, models->prior, answer.best ? std::max(answer.best->batch, *batch) : *batch);
  } else {
    answer.stated = memory_at(answer.model, 1);
  }
  mention_model(answer, request, table);
  mention_attention(answer, request, models->setup);
  mention_assumed(answer, request, models->setup);
  mention_learning_rate(answer, request);
  return answer;
}

Estimate estimate_with(const MemoryModel& model, const EstimateRequest& request, const std::optional<TargetGpu>& gpu) {
  Estimate answer;
  answer.model = model;
  answer.gpu = gpu;
  Models models;
  models.model = model;
  if (gpu) search(answer, request, models, {});
  const auto found = answer.best ? answer.best->batch : 1;
  answer.stated = memory_at(model, request.batch.value_or(found));
  mention_learning_rate(answer, request);
  return answer;
}

}  // namespace gputop
