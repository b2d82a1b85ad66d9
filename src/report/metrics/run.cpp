// The run under gputop: its progress, its speed, its memory, its advice.
#include "gputop/app/gather_facts.hpp"
#include "gputop/app/run_now.hpp"
#include "gputop/report/open_metrics.hpp"
#include "report/metrics/lines.hpp"

namespace gputop {
namespace {

using metrics::Family;
using metrics::Lines;

template <class T>
Reading<double> value_of(const Known<T>& fact) {
  if (!fact) return std::nullopt;
  if constexpr (std::is_same_v<T, Duration>) {
    return to_seconds(fact->value);
  } else if constexpr (requires { fact->value.value(); }) {
    return static_cast<double>(fact->value.value());
  } else {
    return static_cast<double>(fact->value);
  }
}

// Only the current speed; one from minutes ago counts as none.
void put_speed(Lines& lines, const Model& model, const StepFacts& step) {
  if (!throughput_now(model, model.now)) return;
  lines.put(Family::kRunStepRate, value_of(step.steps_per_second));
  lines.put(Family::kRunSampleRate, value_of(step.samples_per_second));
  lines.put(Family::kRunTokenRate, value_of(step.tokens_per_second));
  lines.put(Family::kRunStepTime, value_of(step.step_time));
  lines.put(Family::kRunInputWait, value_of(step.input_wait_share));
  const auto& diagnosis = model.advice.now().diagnosis;
  if (model.advice.now().warming_up || diagnosis.share(StepPart::kUnknown) >= 1) return;
  for (std::size_t part = 0; part < kStepParts; ++part) {
    if (diagnosis.shares[part] > 0)
      lines.put(Family::kRunShare, diagnosis.shares[part], {{"part", to_string(static_cast<StepPart>(part))}});
  }
}

void put_gpus(Lines& lines, const Model& model, const Facts& facts) {
  for (const auto& gpu : facts.gpus) {
    if (!gpu.used_by_run) continue;
    for (const auto& track : model.gpus) {
      if (track.now.index != gpu.index || track.now.uuid.empty()) continue;
      lines.put(Family::kRunGpuInfo, 1.0, {{"uuid", track.now.uuid}});
      lines.put(Family::kRunGpuMemory, gpu.run_memory, {{"uuid", track.now.uuid}});
    }
  }
}

void put_advice(Lines& lines, const Advice& advice) {
  for (const auto& finding : advice.findings) {
    lines.put(Family::kRunAdvice, 1.0,
              {{"advice", finding.id},
               {"severity", to_string(finding.severity)},
               {"title", finding.title},
               {"change", changes_in_words(finding.changes)}});
  }
}

struct Names {
  std::string job;
  std::string rank;  // "": one gputop watches several ranks
  std::string run;
};

void put_ranks(Lines& lines, const Facts& facts, const Names& names) {
  const auto put = [&](const std::string& rank, const Reading<double>& speed, const Reading<double>& wait) {
    lines.begin_with({{"job_id", names.job}, {"rank", rank}, {"run", names.run}});
    lines.put(Family::kRankStepRate, speed);
    lines.put(Family::kRankInputWait, wait);
  };
  const bool one = !names.rank.empty() && facts.ranks.size() <= 1;
  if (one) return put(names.rank, value_of(facts.step.steps_per_second), value_of(facts.step.input_wait_share));
  for (const auto& each : facts.ranks) put(std::to_string(each.rank), each.steps_per_second, each.input_wait_share);
}

}  // namespace

std::string run_metrics(const Model& model) {
  if (!model.run) return {};
  const auto& run = *model.run;
  const auto facts = gather_facts(model);
  const bool of_job = model.job && !model.job->id.empty();
  const auto& id = run.started.id;
  const auto& job = of_job ? model.job->id : id;
  const auto rank = of_job && model.job->rank ? std::to_string(*model.job->rank) : std::string{};
  Lines lines;
  lines.begin_with({{"job_id", job}, {"rank", rank}, {"run", id}});
  lines.put(Family::kRunInfo, 1.0,
            {{"name", run.started.name},
             {"launcher", of_job ? std::string_view{model.job->launcher} : std::string_view{}},
             {"node", of_job ? std::string_view{model.job->node} : std::string_view{model.host.hostname}}});
  lines.put(Family::kRunStart, std::chrono::duration<double>(model.wall(run.since).time_since_epoch()).count());
  lines.put(Family::kRunAlive, run.end ? 0.0 : 1.0);
  if (!run.end) {
    if (const auto still = still_for(model, model.now)) lines.put(Family::kRunStill, to_seconds(*still));
    put_speed(lines, model, facts.step);
    lines.put(Family::kRunEta, value_of(facts.step.eta));
    if (!model.tree.resident.empty()) lines.put(Family::kRunHostMemory, model.tree.resident.back().value);
    put_gpus(lines, model, facts);
  }
  lines.put(Family::kRunStep, value_of(facts.step.step));
  lines.put(Family::kRunSteps, value_of(facts.step.total_steps));
  lines.put(Family::kRunEpoch, value_of(facts.step.epoch));
  lines.put(Family::kRunLoss, value_of(facts.step.loss));
  lines.put(Family::kRunLearningRate, value_of(facts.settings.learning_rate));
  lines.put(Family::kRunTorchMemory, value_of(facts.memory.reserved_peak));
  lines.put(Family::kRunMfu, value_of(facts.efficiency.mfu));
  lines.put(Family::kRunFlops, value_of(facts.efficiency.flops_per_second));
  constexpr double kJoules = 3600;  // per Wh
  if (const auto& energy = facts.efficiency.energy) lines.put(Family::kRunEnergy, energy->value * kJoules);
  if (const auto& energy = facts.efficiency.energy_per_1000) lines.put(Family::kRunSampleEnergy, energy->value * kJoules / 1000);
  lines.put(Family::kRunCost, value_of(facts.efficiency.cost));
  put_advice(lines, model.advice.now());
  put_ranks(lines, facts, {.job = job, .rank = rank, .run = id});
  return lines.take();
}

}  // namespace gputop
